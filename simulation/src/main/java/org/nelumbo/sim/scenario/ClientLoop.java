package org.nelumbo.sim.scenario;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.FabricException;
import org.nelumbo.sim.cluster.Cluster;
import org.nelumbo.sim.cluster.Rows;
import org.nelumbo.sim.cluster.TransactionFailed;
import org.nelumbo.sim.cluster.Violation;
import org.nelumbo.sim.workload.Client;
import org.nelumbo.sim.workload.Workload;
import org.nelumbo.sim.world.SimNode;
import org.nelumbo.sim.world.SimRandom;
import org.nelumbo.sim.world.SimWorld;

/**
 * What the thread of a client does: transactions until enough have committed. After a conflict it
 * backs off and tries another. It ends when its database is lost. A client that gets no commit for
 * too long while no fault is at work is a violation of liveness, unless coordinators were stopped
 * whose locks nobody gives back.
 */
final class ClientLoop {
  private final Scenario scenario;
  private final Cluster cluster;
  private final SimWorld world;
  private final SimNode node;
  private final Environment environment;
  private final Workload workload;
  private final int index;
  private final Tally tally;
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
      Tally tally,
      long wanted) {
    this.scenario = scenario;
    this.cluster = cluster;
    this.world = cluster.world();
    this.node = node;
    this.environment = node.environment();
    this.workload = workload;
    this.index = index;
    this.tally = tally;
    this.wanted = wanted;
  }

  /** Runs; answers whether the database was lost. */
  boolean run() {
    Rows rows = null;
    try {
      rows = cluster.newRows();
      transact(rows);
    } catch (FabricException e) {
      lost = true;
    } finally {
      close(rows);
    }
    return lost;
  }

  private void transact(Rows rows) {
    SimRandom random = world.random(node.name() + " client " + index);
    Client client = workload.newClient(index, rows, random);
    lastCommit = world.now();
    long done = 0;
    for (int attempt = 0; done < wanted && !lost; attempt++) {
      checkLiveness();
      if (transact(client, rows)) {
        done++;
        tally.done[index]++;
        attempt = -1;
        lastCommit = world.now();
      } else if (!lost) {
        environment.backoff(attempt);
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
      tally.failed(failed.reason());
      lost = failed.isLost();
      rows.abort();
      return failed.reason() == TransactionFailed.Reason.OUT_OF_MEMORY;
    }
  }

  /** A session of a lost database cannot be closed in order; it may say so. */
  private void close(Rows rows) {
    try {
      if (rows != null) {
        rows.close();
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
