package org.nelumbo.executor.cluster;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;

/**
 * Report on the compute nodes of a pool, as they are now.
 *
 * @param nodes members first, then those that are not yet, or no longer
 */
public record ClusterReport(List<Node> nodes) {
  /** What a compute node is in the pool. */
  public enum State {
    /** A member, which memory nodes hear of. */
    MEMBER,
    /** A member that lacks a connection, or has not been heard of for half a lease. */
    SILENT,
    /** Has an entry, and is no member: it is about to enter or to leave. */
    ENTERING,
    /** Was a member, and is being recovered. */
    REMOVED
  }

  /**
   * One of them.
   *
   * @param number by which the pool knows it; no other ever has it
   * @param name for people; empty if it is not known any more
   * @param isGuest whether it is beside members that own the shards
   * @param joinedMicros when it became a member, microseconds since 1970; 0 if that is not known
   * @param silentNanos since the memory node heard of it that has not for longest; -1 if none has
   *     it
   * @param shards that it owns
   * @param settled version of the configuration of which it has done all
   * @param settledSchema serial number of the schema of which it has done all
   * @param horizon timestamp since which it needs old versions; 0 if it has not said
   */
  public record Node(
      long number,
      String name,
      State state,
      boolean isGuest,
      long joinedMicros,
      long silentNanos,
      int shards,
      long settled,
      long settledSchema,
      long horizon) {}

  /**
   * Asks the pool and its memory nodes which compute nodes there are: one round trip to each.
   *
   * @param latest configuration that is known here
   */
  static ClusterReport of(
      ClusterConfiguration latest,
      SharedConfiguration shared,
      FailureDetector detector,
      long leaseNanos) {
    Map<Long, PoolTenant> tenants = detector.tenants();
    List<Node> nodes = new ArrayList<>();
    try (Channel own = shared.openChannel()) {
      int table = ComputeNodeTable.postRead(own);
      own.flush();
      for (ClusterNode each : latest.nodes()) {
        PoolTenant tenant = tenants.get(each.tenant());
        long silent = FailureDetector.silentNanos(tenant);
        boolean isHeard = tenant != null && tenant.isConnected() && silent < leaseNanos / 2;
        State state = isHeard ? State.MEMBER : State.SILENT;
        nodes.add(member(each, state, silent, latest, own.staging(), table));
      }
      latest.unfinished().forEach(each -> nodes.add(removed(each)));
      for (int each = 0; each < SuperblockLayout.COMPUTE_NODES; each++) {
        int number = ComputeNodeTable.number(own.staging(), table, each);
        ComputeNodeEntry at = new ComputeNodeEntry(number, each);
        if (number != 0 && latest.isStranger(at)) {
          long tenant = ComputeNodeTable.tenant(own.staging(), table, each);
          nodes.add(entering(number, tenants.get(tenant)));
        }
      }
    }
    return new ClusterReport(nodes);
  }

  private static Node member(
      ClusterNode node,
      State state,
      long silentNanos,
      ClusterConfiguration latest,
      MemorySegment staging,
      int table) {
    ComputeNodeEntry at = ClusterNode.entry(node.id());
    return new Node(
        at.number(),
        node.name(),
        state,
        latest.isGuest(node),
        node.joinedMicros(),
        silentNanos,
        latest.map().shardsOf(node.id()).cardinality(),
        ComputeNodeTable.settled(staging, table, at),
        ComputeNodeTable.settledSchema(staging, table, at),
        ComputeNodeTable.horizon(staging, table, at));
  }

  private static Node removed(PeerId gone) {
    return new Node(gone.incarnation(), "", State.REMOVED, false, 0, -1, 0, 0, 0, 0);
  }

  private static Node entering(int number, PoolTenant tenantOrNull) {
    String name = tenantOrNull == null ? "" : tenantOrNull.name();
    long silentNanos = FailureDetector.silentNanos(tenantOrNull);
    return new Node(number, name, State.ENTERING, false, 0, silentNanos, 0, 0, 0, 0);
  }
}
