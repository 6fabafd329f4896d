package org.nelumbo.simulation.scenario;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.workload.Workload;
import org.nelumbo.simulation.workload.WorkloadClient;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The thread of a client: transactions until enough have committed. After a conflict it backs off
 * and tries another. It ends when its database is lost. A client that gets no commit for too long
 * while no fault is at work is a violation of liveness, unless coordinators were stopped whose
 * locks nobody gives back.
 */
final class ClientLoop {
  private final Scenario scenario;
  private final Cluster cluster;
  private final SimWorld world;
  private final SimNode node;
  private final Environment environment;
  private final Workload workload;
  private final int index;
  private final RunCounts runCounts;
  private final long wanted;
  private long lastCommit;
  private boolean lost;

  /**
   * A client.
   *
   * @param wanted commits after which it ends
   */
  ClientLoop(
      Scenario scenario,
      Cluster cluster,
      SimNode node,
      Workload workload,
      int index,
      RunCounts runCounts,
      long wanted) {
    this.scenario = scenario;
    this.cluster = cluster;
    this.world = cluster.world();
    this.node = node;
    this.environment = node.environment();
    this.workload = workload;
    this.index = index;
    this.runCounts = runCounts;
    this.wanted = wanted;
  }

  /** Runs; returns whether the database was lost. */
  boolean run() {
    ClusterSession clusterSession = null;
    try {
      clusterSession = cluster.newSession();
      transact(clusterSession);
    } catch (FabricException e) {
      lost = true;
    } finally {
      close(clusterSession);
    }
    return lost;
  }

  private void transact(ClusterSession clusterSession) {
    SimRandom random = world.random(node.name() + " client " + index);
    WorkloadClient workloadClient = workload.newClient(index, clusterSession, random);
    lastCommit = world.now();
    long done = 0;
    for (int attempt = 0; done < wanted && !lost; attempt++) {
      checkLiveness();
      if (transact(workloadClient, clusterSession)) {
        done++;
        runCounts.done[index]++;
        attempt = -1;
        lastCommit = world.now();
      } else if (!lost) {
        environment.backoff(attempt);
      }
    }
  }

  /** Whether the client is through with this transaction, well or because there is no memory. */
  private boolean transact(WorkloadClient workloadClient, ClusterSession clusterSession) {
    try {
      workloadClient.transact();
      runCounts.committed++;
      return true;
    } catch (TransactionFailed failed) {
      runCounts.failed(failed.reason());
      lost = failed.isLost();
      clusterSession.abort();
      return failed.reason() == TransactionFailed.Reason.OUT_OF_MEMORY;
    }
  }

  /** A session of a lost database cannot be closed in order; it may say so. */
  private void close(ClusterSession clusterSession) {
    try {
      if (clusterSession != null) {
        clusterSession.close();
      }
    } catch (FabricException e) {
      lost = true;
    }
  }

  private void checkLiveness() {
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
