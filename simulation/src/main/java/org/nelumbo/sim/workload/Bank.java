package org.nelumbo.sim.workload;

import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.sim.cluster.Rows;
import org.nelumbo.sim.cluster.TransactionFailed;
import org.nelumbo.sim.cluster.Violation;
import org.nelumbo.sim.world.SimRandom;

/**
 * Money moves between accounts; one that is emptied is closed, one that is missing is opened again.
 * Every reader must see all of the money: one transaction in four reads every account, by a range
 * scan or one by one.
 */
public final class Bank implements Workload {
  private static final long EACH = 100;

  private final WorkloadOptions options;

  public Bank(WorkloadOptions options) {
    this.options = options;
  }

  @Override
  public void load(Rows rows) throws TransactionFailed {
    rows.begin(options.isolation(), false);
    for (int id = 0; id < options.keys(); id++) {
      rows.insert(id, EACH, 0, "o" + id);
    }
    rows.commit();
  }

  @Override
  public Client newClient(int index, Rows rows, SimRandom random) {
    return new Teller(rows, random);
  }

  @Override
  public void check(Rows rows) throws TransactionFailed {
    new Teller(rows, new SimRandom(0)).sum(options.isolation(), false, true);
  }

  private final class Teller implements Client {
    private final Rows rows;
    private final SimRandom random;
    private long sum;

    Teller(Rows rows, SimRandom random) {
      this.rows = rows;
      this.random = random;
    }

    @Override
    public void transact() throws TransactionFailed {
      if (random.nextInt(4) == 0) {
        sum(options.isolation(), random.nextInt(2) == 0, random.nextInt(2) == 0);
      } else {
        transfer();
      }
    }

    private void transfer() throws TransactionFailed {
      long from = random.nextInt(options.keys());
      long to = random.nextInt(options.keys());
      rows.begin(options.isolation(), false);
      long available = rows.read(from, random.nextInt(2) == 0) ? rows.value() : 0;
      if (from != to && available > 0) {
        long amount = random.nextInt(4) == 0 ? available : 1 + random.nextLong(available);
        withdraw(from, available, amount);
        deposit(to, amount);
      }
      rows.commit();
    }

    private void withdraw(long from, long available, long amount) throws TransactionFailed {
      boolean done =
          available == amount
              ? rows.delete(from)
              : rows.update(from, available - amount, amount, "w" + amount);
      if (!done) {
        throw new Violation("an account that was read is gone id=" + from);
      }
    }

    private void deposit(long to, long amount) throws TransactionFailed {
      boolean there = rows.read(to, true);
      boolean done =
          there
              ? rows.update(to, rows.value() + amount, amount, "d" + amount)
              : rows.insert(to, amount, amount, "n" + amount);
      if (!done) {
        throw new Violation("an account changed under its write lock id=" + to);
      }
    }

    void sum(Isolation isolation, boolean readOnly, boolean byScan) throws TransactionFailed {
      rows.begin(isolation, readOnly);
      sum = 0;
      if (byScan) {
        rows.scan(0, options.keys(), (id, value, group) -> sum += value);
      } else {
        for (int id = 0; id < options.keys(); id++) {
          sum += rows.read(id, false) ? rows.value() : 0;
        }
      }
      rows.commit();
      if (sum != EACH * options.keys()) {
        throw new Violation(
            "a transaction saw a wrong sum sum="
                + sum
                + " wanted="
                + EACH * options.keys()
                + " isolation="
                + isolation
                + " readOnly="
                + readOnly
                + " byScan="
                + byScan);
      }
    }
  }
}
