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
 * A report on the compute nodes of a pool at one moment.
 *
 * @param nodes members first, then compute nodes that are not members yet, or no longer
 */
public record ClusterReport(List<Node> nodes) {
  /** State of a compute node in the pool. */
  public enum State {
    /** A member from which memory nodes receive requests. */
    MEMBER,
    /** A member that lacks a connection, or has been silent for half a lease. */
    SILENT,
    /** A compute node with an entry that is not a member: it is about to enter or to leave. */
    ENTERING,
    /** A former member that is being recovered. */
    REMOVED
  }

  /**
   * A compute node of the report.
   *
   * @param number number in the pool, which is never reused
   * @param name name for display; empty if it is no longer known
   * @param isGuest true for a client, which owns no shards except pinned ones
   * @param joinedMicros time at which it became a member, microseconds since 1970; 0 if unknown
   * @param silentNanos longest silence at any memory node; -1 if no memory node has it as a tenant
   * @param shards number of shards that it owns
   * @param settled version of the configuration that it has settled
   * @param settledSchema serial number of the schema that it has settled
   * @param horizon timestamp since which it needs old versions; 0 if it has published none
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
   * Reads the compute nodes of the pool: one round trip to the pool and to each memory node.
   *
   * @param latest configuration that is installed locally
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
