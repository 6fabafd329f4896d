package org.nelumbo.dm.replication;

import java.util.List;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.RevokedException;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.PoolVacantException;
import org.nelumbo.dm.replication.membership.WantedPool;

/**
 * Opens a pool on memory nodes that are reached over TCP, either with a single copy or replicated.
 */
public final class RemotePool {
  private static final long SHARING_POLL_NANOS = 20_000_000L;

  private RemotePool() {}

  /**
   * Attaches to all nodes of a pool, or joins the compute nodes that share it. If the nodes are
   * empty, creates a new pool.
   *
   * @param nodes all nodes of the pool, in order
   * @param poolName name of the pool
   * @param wanted requirements on the pool
   * @param witnesses memory nodes that vote and hold no data
   * @throws PoolOpenException if the pool cannot be opened; the message says why and what to do
   */
  public static Fabric open(
      Environment environment,
      List<NodeAddress> nodes,
      TcpOptions options,
      String poolName,
      WantedPool wanted,
      List<NodeAddress> witnesses) {
    int copies = wanted.copies();
    NodeSurvey census = NodeSurvey.take(environment, nodes, options);
    census.checkIdentity(poolName, wanted.expectation());
    int found = census.copies();
    if (found == 1 && copies > 1) {
      throw new PoolOpenException(
          "the pool has one copy of all data, replicas="
              + copies
              + " was requested: omit it, or copy the data into a new pool with SQL");
    }
    if (found == 1 && wanted.force()) {
      throw new PoolOpenException(
          "recover=force is for pools with copies on memory nodes; this one has one copy"
              + " of all data, and is always recovered as far as possible: omit it");
    }
    boolean isSingle = found == 0 && (copies == 1 || copies == 0 && nodes.size() == 1);
    if (found == 1 || isSingle) {
      census.checkSingle(wanted.expectation());
      return enterOrAttach(environment, nodes, options, census.patienceNanos());
    }
    return new CopiesOpener(environment, nodes, options, wanted, witnesses).open(census);
  }

  /**
   * The attempt to join requests an exclusive owner to share the pool, and retries for some time.
   */
  private static Fabric enterOrAttach(
      Environment environment, List<NodeAddress> nodes, TcpOptions options, long patienceNanos) {
    long latest = environment.nanoTime() + patienceNanos;
    while (true) {
      try {
        return TcpFabric.enter(environment, nodes, options);
      } catch (PoolVacantException vacant) {
        Fabric attached = attachUnlessTaken(environment, nodes, options, latest);
        if (attached != null) {
          return attached;
        }
      } catch (PoolInUseException
          | RevokedException e) { // or this compute node was slow, and presumed failed
        if (environment.nanoTime() - latest > 0) {
          throw e;
        }
      }
      environment.parkNanos(SHARING_POLL_NANOS);
    }
  }

  /** Returns null if another compute node was faster. */
  private static Fabric attachUnlessTaken(
      Environment environment, List<NodeAddress> nodes, TcpOptions options, long latest) {
    try {
      return TcpFabric.open(environment, nodes, options);
    } catch (PoolInUseException taken) {
      if (environment.nanoTime() - latest > 0) {
        throw taken;
      }
      return null;
    }
  }
}
