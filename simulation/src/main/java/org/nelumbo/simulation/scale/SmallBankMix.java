package org.nelumbo.simulation.scale;

import java.util.List;
import java.util.function.LongSupplier;
import org.nelumbo.simulation.world.SimRandom;

/** SmallBank: two small rows for each customer; 85 of 100 transactions write. */
final class SmallBankMix implements Mix {
  private static final int SAVINGS = 0;
  private static final int CHECKING = 1;
  private static final long MONEY = 10_000;

  private final int customers;

  SmallBankMix(int customers) {
    this.customers = customers;
  }

  @Override
  public List<Table> tables() {
    return List.of(new Table("SAVINGS", 1), new Table("CHECKING", 1));
  }

  @Override
  public int homes() {
    return customers;
  }

  @Override
  public void load(MixSession session, long home) throws MixConflict {
    session.load(SAVINGS, home, 0, MONEY);
    session.load(CHECKING, home, 0, MONEY);
  }

  @Override
  public String transact(
      MixSession session, SimRandom random, LongSupplier homes, LongSupplier elsewhere)
      throws MixConflict {
    int drawn = random.nextInt(100);
    long home = homes.getAsLong();
    if (drawn < 15) {
      return balance(session, home);
    } else if (drawn < 30) {
      return add(session, "deposit", CHECKING, home);
    } else if (drawn < 45) {
      return add(session, "transact", SAVINGS, home);
    } else if (drawn < 60) {
      return amalgamate(session, home, other(home, homes));
    } else if (drawn < 85) {
      return send(session, home, other(home, homes));
    }
    return writeCheck(session, home);
  }

  private static long other(long home, LongSupplier homes) {
    long other = homes.getAsLong();
    for (int i = 0; i < 10 && other == home; i++) {
      other = homes.getAsLong();
    }
    return other;
  }

  private static String balance(MixSession session, long home) throws MixConflict {
    session.beginSingleRead();
    session.add(SAVINGS, home, 0, false);
    session.add(CHECKING, home, 0, false);
    session.read();
    return "balance";
  }

  private static String add(MixSession session, String type, int table, long home)
      throws MixConflict {
    session.begin(false);
    int row = session.add(table, home, 0, true);
    session.read();
    session.set(row, session.value(row) + 1);
    return type;
  }

  private static String amalgamate(MixSession session, long from, long to) throws MixConflict {
    session.begin(false);
    int savings = session.add(SAVINGS, from, 0, true);
    int checking = session.add(CHECKING, from, 0, true);
    if (to == from) {
      session.read();
      return "amalgamate";
    }
    int target = session.add(CHECKING, to, 0, true);
    session.read();
    session.set(target, session.value(target) + session.value(savings) + session.value(checking));
    session.set(savings, 0);
    session.set(checking, 0);
    return "amalgamate";
  }

  private static String send(MixSession session, long from, long to) throws MixConflict {
    session.begin(false);
    int source = session.add(CHECKING, from, 0, true);
    if (to == from) {
      session.read();
      return "send";
    }
    int target = session.add(CHECKING, to, 0, true);
    session.read();
    session.set(source, session.value(source) - 1);
    session.set(target, session.value(target) + 1);
    return "send";
  }

  private static String writeCheck(MixSession session, long home) throws MixConflict {
    session.begin(false);
    session.add(SAVINGS, home, 0, false);
    int checking = session.add(CHECKING, home, 0, true);
    session.read();
    session.set(checking, session.value(checking) - 1);
    return "check";
  }
}
