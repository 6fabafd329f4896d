package org.nelumbo.simulation.workload;

import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.config.Settings;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A workload in which some clients run a long transaction now and then. It inserts a row of its
 * own, and reads rows of the other clients under its snapshot until its time is over. Then it
 * commits, or rolls back; a rolled-back row is invisible to the other workload.
 */
public final class LongTransactions implements Workload {
  /** First id of the rows that these transactions insert; no workload uses ids from here on. */
  private static final long FIRST_ID = 1_000_000;

  private static final long PAUSE_NANOS = 5_000;
  private static final long IDS_PER_CLIENT = 10_000;

  private final Workload workload;
  private final Options options;
  private final int keys;
  private final SimWorld world;

  /**
   * The long transactions of a scenario.
   *
   * @param clients number of clients that run them
   * @param every interval, in transactions of such a client, from one long transaction to the next
   * @param length virtual time of a long transaction, nanoseconds
   * @param commits whether it commits in the end
   */
  public record Options(int clients, int every, long length, boolean commits) {
    /** Reads the options from the keys of a scenario that begin with {@code long.}. */
    public static Options of(Settings settings) {
      return new Options(
          settings.integer("long.clients", 0),
          Math.max(1, settings.integer("long.every", 50)),
          settings.nanos("long.length", "60ms"),
          settings.flag("long.commits", true));
    }
  }

  private LongTransactions(Workload workload, Options options, int keys, SimWorld world) {
    this.workload = workload;
    this.options = options;
    this.keys = keys;
    this.world = world;
  }

  /**
   * Adds the long transactions to a workload.
   *
   * @param keys exclusive upper bound of the ids of the rows that they read
   * @return the workload itself if there are no long transactions
   */
  public static Workload beside(Workload workload, Options options, int keys, SimWorld world) {
    return options.clients == 0
        ? workload
        : new LongTransactions(workload, options, Math.max(1, keys), world);
  }

  @Override
  public void load(ClusterSession clusterSession) throws TransactionFailed {
    workload.load(clusterSession);
  }

  @Override
  public WorkloadClient newClient(int index, ClusterSession clusterSession, SimRandom random) {
    WorkloadClient usual = workload.newClient(index, clusterSession, random);
    return index < options.clients
        ? new Client(usual, clusterSession, random, FIRST_ID + index * IDS_PER_CLIENT)
        : usual;
  }

  @Override
  public boolean allowsEmptying() {
    return workload.allowsEmptying();
  }

  @Override
  public void empty(Emptying emptying) throws TransactionFailed {
    workload.empty(emptying);
  }

  @Override
  public void check(ClusterSession clusterSession) throws TransactionFailed {
    workload.check(clusterSession);
  }

  private final class Client implements WorkloadClient {
    private final WorkloadClient usual;
    private final ClusterSession clusterSession;
    private final SimRandom random;
    private final long firstId;
    private int transactions;

    Client(WorkloadClient usual, ClusterSession clusterSession, SimRandom random, long firstId) {
      this.usual = usual;
      this.clusterSession = clusterSession;
      this.random = random;
      this.firstId = firstId;
    }

    @Override
    public void transact() throws TransactionFailed {
      if (transactions++ % options.every == 0) {
        readOn();
      } else {
        usual.transact();
      }
    }

    private void readOn() throws TransactionFailed {
      long end = world.now() + options.length;
      clusterSession.begin(Isolation.SNAPSHOT, false);
      clusterSession.insert(firstId + random.nextLong(IDS_PER_CLIENT), 0, 0, "long");
      while (world.now() < end) {
        long before = world.now();
        clusterSession.read(random.nextInt(keys), false);
        if (world.now() == before) {
          world.sleepUntil(before + PAUSE_NANOS); // reads of cached rows take no time
        }
      }
      if (options.commits) {
        clusterSession.commit();
      } else {
        clusterSession.abort();
      }
    }
  }
}
