package org.nelumbo.simulation.scenario;

import java.util.function.BooleanSupplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.instrument.Injected;
import org.nelumbo.simulation.workload.Workload;
import org.nelumbo.simulation.workload.WorkloadClient;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The thread of a client: it runs transactions until enough have committed. After a conflict it
 * backs off and tries another one. A session in which an injected throwable was thrown is closed,
 * and another one is opened. The loop ends when its database is lost. A client that gets no commit
 * for too long while no fault is active violates liveness, unless coordinators were stopped: their
 * locks are not released.
 */
final class ClientLoop {
  private static final int BROKEN_BACKOFF = 5;

  private final Scenario scenario;
  private final Cluster cluster;
  private final SimWorld world;
  private final SimNode node;
  private final Environment environment;
  private final Workload workload;
  private final int index;
  private final RunCounts runCounts;
  private final long wanted;
  private final BooleanSupplier goesOn;
  private final BooleanSupplier isToEnd;
  private long lastCommit;

  /** Commits of all clients at the last commit of this one. */
  private long committedThen;

  private boolean lost;
  private boolean broken;
  private int sessions;
  private long done;

  /**
   * Creates the loop of a client.
   *
   * @param wanted commits after which it ends
   * @param goesOn returns true while it must continue after that number of commits
   * @param isToEnd returns true if it must end before that number of commits
   */
  ClientLoop(
      Scenario scenario,
      Cluster cluster,
      SimNode node,
      Workload workload,
      int index,
      RunCounts runCounts,
      long wanted,
      BooleanSupplier goesOn,
      BooleanSupplier isToEnd) {
    this.scenario = scenario;
    this.cluster = cluster;
    this.world = cluster.world();
    this.node = node;
    this.environment = node.environment();
    this.workload = workload;
    this.index = index;
    this.runCounts = runCounts;
    this.wanted = wanted;
    this.goesOn = goesOn;
    this.isToEnd = isToEnd;
  }

  /** Runs the client; returns true if the database was lost. */
  boolean run() {
    noteCommit();
    do {
      broken = false;
      runSession();
    } while (broken && !lost);
    return lost;
  }

  private void runSession() {
    ClusterSession clusterSession = null;
    try {
      clusterSession = cluster.newSession();
      transact(clusterSession);
    } catch (RuntimeException | Error e) {
      breaks(e);
    } finally {
      close(clusterSession);
    }
  }

  /** A lost pool or an injected throwable is expected; any other is a defect and is rethrown. */
  private void breaks(Throwable thrown) {
    if (TransactionFailed.isLoss(thrown)) {
      lost = true;
      return;
    }
    if (!Injected.isCauseOf(thrown)) {
      ClientLoop.<RuntimeException>raise(thrown);
    }
    checkLiveness();
    broken = true;
    environment.backoff(BROKEN_BACKOFF);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private void transact(ClusterSession clusterSession) {
    SimRandom random =
        world.random(node.name() + " client " + index + (sessions++ == 0 ? "" : " " + sessions));
    WorkloadClient workloadClient = workload.newClient(index, clusterSession, random);
    for (int attempt = 0; isToGoOn(); attempt++) {
      checkLiveness();
      if (transact(workloadClient, clusterSession)) {
        done++;
        runCounts.done[index]++;
        attempt = -1;
        checkLiveness();
        noteCommit();
      } else if (!lost) {
        environment.backoff(attempt);
      }
    }
  }

  private boolean isToGoOn() {
    return (done < wanted || goesOn.getAsBoolean()) && !isToEnd.getAsBoolean() && !lost && !broken;
  }

  private void noteCommit() {
    lastCommit = world.now();
    committedThen = runCounts.committed;
  }

  private boolean transact(WorkloadClient workloadClient, ClusterSession clusterSession) {
    try {
      workloadClient.transact();
      runCounts.committed++;
      return true;
    } catch (TransactionFailed failed) {
      runCounts.failed(failed.reason());
      lost = failed.isLost();
      broken = failed.isBroken();
      clusterSession.abort();
      return failed.reason() == TransactionFailed.Reason.OUT_OF_MEMORY;
    }
  }

  /**
   * A session of a lost database, or a broken session, cannot be closed in order and may fail. A
   * throwable injected before the close has begun leaves the session open, with its locks: the
   * second attempt closes it.
   */
  private void close(ClusterSession clusterSession) {
    if (clusterSession != null && !isClosed(clusterSession)) {
      isClosed(clusterSession);
    }
  }

  private boolean isClosed(ClusterSession clusterSession) {
    try {
      clusterSession.close();
      return true;
    } catch (RuntimeException | Error e) {
      breaks(e);
      return false;
    }
  }

  private void checkLiveness() {
    long others = runCounts.committed - committedThen;
    if (scenario.patience() > 0 && others > scenario.patience()) {
      throw new Violation(
          "client " + index + " has not committed while others did " + others + " times");
    }
    long calmSince = Math.max(lastCommit, scenario.faults().until());
    if (world.now() - calmSince > scenario.liveness() && !scenario.faults().stopsCoordinators()) {
      throw new Violation(
          "client "
              + index
              + " has not committed for "
              + (world.now() - lastCommit)
              + " ns of virtual time");
    }
  }
}
