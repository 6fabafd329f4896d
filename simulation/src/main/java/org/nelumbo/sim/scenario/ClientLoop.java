package org.nelumbo.sim.scenario;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.sim.cluster.Cluster;
import org.nelumbo.sim.cluster.Rows;
import org.nelumbo.sim.cluster.TransactionFailed;
import org.nelumbo.sim.cluster.Violation;
import org.nelumbo.sim.workload.Client;
import org.nelumbo.sim.workload.Workload;
import org.nelumbo.sim.world.SimNode;
import org.nelumbo.sim.world.SimWorld;

/**
 * What the thread of a client does: transactions until enough have committed. After a conflict it
 * backs off and tries another. A client that gets no commit for too long while no fault is at work
 * is a violation of liveness, unless somebody has stopped: what the dead hold is not given back
 * yet.
 */
final class ClientLoop {
  private final Scenario scenario;
  private final Cluster cluster;
  private final SimWorld world;
  private final Environment environment;
  private final Workload workload;
  private final int index;
  private final Tally tally;
  private long lastCommit;

  ClientLoop(
      Scenario scenario, Cluster cluster, SimNode node, Workload workload, int index, Tally tally) {
    this.scenario = scenario;
    this.cluster = cluster;
    this.world = cluster.world();
    this.environment = node.environment();
    this.workload = workload;
    this.index = index;
    this.tally = tally;
  }

  void run() {
    try (Rows rows = cluster.newRows()) {
      Client client = workload.newClient(index, rows, world.random("client " + index));
      lastCommit = world.now();
      int done = 0;
      for (int attempt = 0; done < scenario.transactions(); attempt++) {
        checkLiveness();
        if (transact(client, rows)) {
          done++;
          attempt = -1;
          lastCommit = world.now();
        } else {
          environment.backoff(attempt);
        }
      }
    }
  }

  /** Whether the client is through with this transaction, well or because there is no memory. */
  private boolean transact(Client client, Rows rows) {
    try {
      client.transact();
      tally.committed++;
      return true;
    } catch (TransactionFailed failed) {
      rows.abort();
      tally.failed(failed.reason());
      return failed.reason() == TransactionFailed.Reason.OUT_OF_MEMORY;
    }
  }

  private void checkLiveness() {
    long calmSince = Math.max(lastCommit, scenario.faults().until());
    if (world.now() - calmSince > scenario.liveness() && !scenario.faults().stopsAnything()) {
      throw new Violation(
          "client "
              + index
              + " has not committed for "
              + (world.now() - lastCommit)
              + " ns of virtual time");
    }
  }
}
