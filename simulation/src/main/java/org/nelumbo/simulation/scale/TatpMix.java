package org.nelumbo.simulation.scale;

import java.util.List;
import java.util.function.LongSupplier;
import org.nelumbo.simulation.world.SimRandom;

/** TATP: subscribers of a telephone network; 80 of 100 transactions only read. */
final class TatpMix implements Mix {
  private static final int SUBSCRIBER = 0;
  private static final int ACCESS = 1;
  private static final int FACILITY = 2;
  private static final int FORWARDING = 3;
  private static final int TYPES = 4;
  private static final int START_TIMES = 3;

  private final int subscribers;

  TatpMix(int subscribers) {
    this.subscribers = subscribers;
  }

  @Override
  public List<Table> tables() {
    return List.of(
        new Table("SUBSCRIBER", 24),
        new Table("ACCESS_INFO", 12),
        new Table("SPECIAL_FACILITY", 12),
        new Table("CALL_FORWARDING", 16));
  }

  @Override
  public int homes() {
    return subscribers;
  }

  /** Loads a subscriber. Every other special facility exists, with one call forwarding each. */
  @Override
  public void load(MixSession session, long home) throws MixConflict {
    session.load(SUBSCRIBER, home, 0, 0);
    for (int type = 0; type < TYPES; type++) {
      session.load(ACCESS, home, type, 0);
      if ((home + type) % 2 == 0) {
        session.load(FACILITY, home, type, 0);
        session.load(FORWARDING, home, (long) type * START_TIMES, 0);
      }
    }
  }

  @Override
  public String transact(
      MixSession session, SimRandom random, LongSupplier homes, LongSupplier elsewhere)
      throws MixConflict {
    int drawn = random.nextInt(100);
    long home = homes.getAsLong();
    int type = random.nextInt(TYPES);
    if (drawn < 35) {
      return get(session, "get subscriber", SUBSCRIBER, home, 0);
    } else if (drawn < 45) {
      return destination(session, home, type);
    } else if (drawn < 80) {
      return get(session, "get access", ACCESS, home, type);
    } else if (drawn < 94) {
      return update(session, home);
    } else if (drawn < 96) {
      return updateBoth(session, home, type);
    } else if (drawn < 98) {
      return insert(session, home, type, random.nextInt(START_TIMES));
    }
    return delete(session, home, type, random.nextInt(START_TIMES));
  }

  private static String get(MixSession session, String name, int table, long home, long id)
      throws MixConflict {
    session.beginSingleRead();
    session.add(table, home, id, false);
    session.read();
    return name;
  }

  private static String destination(MixSession session, long home, int type) throws MixConflict {
    session.beginSingleRead();
    session.add(FACILITY, home, type, false);
    for (int time = 0; time < START_TIMES; time++) {
      session.add(FORWARDING, home, (long) type * START_TIMES + time, false);
    }
    session.read();
    return "get destination";
  }

  private static String update(MixSession session, long home) throws MixConflict {
    session.begin(false);
    int row = session.add(SUBSCRIBER, home, 0, true);
    session.read();
    session.set(row, session.value(row) + 1);
    return "update location";
  }

  private static String updateBoth(MixSession session, long home, int type) throws MixConflict {
    session.begin(false);
    int subscriber = session.add(SUBSCRIBER, home, 0, true);
    int facility = session.add(FACILITY, home, type, true);
    session.read();
    session.set(subscriber, session.value(subscriber) + 1);
    if (session.isFound(facility)) {
      session.set(facility, session.value(facility) + 1);
    }
    return "update data";
  }

  private static String insert(MixSession session, long home, int type, int time)
      throws MixConflict {
    session.begin(false);
    session.add(SUBSCRIBER, home, 0, false);
    int facility = session.add(FACILITY, home, type, false);
    session.read();
    if (session.isFound(facility)) {
      session.insertAlone(FORWARDING, home, (long) type * START_TIMES + time, 0);
    }
    return "insert forwarding";
  }

  private static String delete(MixSession session, long home, int type, int time)
      throws MixConflict {
    session.begin(false);
    session.add(SUBSCRIBER, home, 0, false);
    int row = session.add(FORWARDING, home, (long) type * START_TIMES + time, true);
    session.read();
    if (session.isFound(row)) {
      session.delete(row);
    }
    return "delete forwarding";
  }
}
