package org.nelumbo.simulation.workload;

import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.world.SimRandom;

/**
 * A workload of money transfers between accounts. An account that becomes empty is closed; a
 * missing account is opened again. Every reader must see the total sum: one transaction in four
 * reads every account, by a range scan or one by one.
 */
public final class BankWorkload implements Workload {
  private static final long EACH = 100;

  private final WorkloadOptions options;

  public BankWorkload(WorkloadOptions options) {
    this.options = options;
  }

  @Override
  public void load(ClusterSession clusterSession) throws TransactionFailed {
    clusterSession.begin(options.isolation(), false);
    for (int id = 0; id < options.keys(); id++) {
      clusterSession.insert(id, EACH, 0, "o" + id);
    }
    clusterSession.commit();
  }

  @Override
  public WorkloadClient newClient(int index, ClusterSession clusterSession, SimRandom random) {
    return new Teller(clusterSession, random, index < options.readers());
  }

  @Override
  public void check(ClusterSession clusterSession) throws TransactionFailed {
    new Teller(clusterSession, new SimRandom(0), false).sum(options.isolation(), false, true);
  }

  private final class Teller implements WorkloadClient {
    private final ClusterSession clusterSession;
    private final SimRandom random;
    private final boolean reader;
    private long sum;

    Teller(ClusterSession clusterSession, SimRandom random, boolean reader) {
      this.reader = reader;
      this.clusterSession = clusterSession;
      this.random = random;
    }

    @Override
    public void transact() throws TransactionFailed {
      if (reader) {
        sum(options.isolation(), false, false);
      } else if (random.nextInt(4) == 0) {
        sum(options.isolation(), random.nextInt(2) == 0, random.nextInt(2) == 0);
      } else if (options.operations() >= options.keys() && random.nextInt(4) == 0) {
        collect();
      } else {
        transfer();
      }
    }

    /** Moves money from all other accounts to one, in one large transaction. */
    private void collect() throws TransactionFailed {
      int to = random.nextInt(options.keys());
      clusterSession.begin(options.isolation(), false);
      long collected = 0;
      for (int id = 0; id < options.keys(); id++) {
        if (id != to && clusterSession.read(id, true) && clusterSession.value() > 1) {
          long value = clusterSession.value() - 1;
          if (!clusterSession.update(id, value, 1, "c")) {
            throw new Violation("an account changed under its write lock id=" + id);
          }
          collected++;
        }
      }
      if (collected > 0) {
        deposit(to, collected);
      }
      clusterSession.commit();
    }

    private void transfer() throws TransactionFailed {
      long from = random.nextInt(options.keys());
      long to = random.nextInt(options.keys());
      clusterSession.begin(options.isolation(), false);
      long available =
          clusterSession.read(from, random.nextInt(2) == 0) ? clusterSession.value() : 0;
      if (from != to && available > 0) {
        long amount = random.nextInt(4) == 0 ? available : 1 + random.nextLong(available);
        withdraw(from, available, amount);
        deposit(to, amount);
      }
      clusterSession.commit();
    }

    private void withdraw(long from, long available, long amount) throws TransactionFailed {
      boolean done =
          available == amount
              ? clusterSession.delete(from)
              : clusterSession.update(from, available - amount, amount, "w" + amount);
      if (!done) {
        throw new Violation("an account that was read is missing id=" + from);
      }
    }

    private void deposit(long to, long amount) throws TransactionFailed {
      boolean there = clusterSession.read(to, true);
      boolean done =
          there
              ? clusterSession.update(to, clusterSession.value() + amount, amount, "d" + amount)
              : clusterSession.insert(to, amount, amount, "n" + amount);
      if (!done) {
        throw new Violation("an account changed under its write lock id=" + to);
      }
    }

    void sum(Isolation isolation, boolean readOnly, boolean byScan) throws TransactionFailed {
      sum = 0;
      if (readOnly && !byScan) {
        clusterSession.readTogether(isolation, options.keys(), (id, value, group) -> sum += value);
      } else {
        clusterSession.begin(isolation, readOnly);
        if (byScan) {
          clusterSession.scan(0, options.keys(), (id, value, group) -> sum += value);
        } else {
          for (int id = 0; id < options.keys(); id++) {
            sum += clusterSession.read(id, false) ? clusterSession.value() : 0;
          }
        }
        clusterSession.commit();
      }
      if (sum != EACH * options.keys()) {
        throw new Violation(
            "a transaction saw a wrong sum sum="
                + sum
                + " expected="
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
