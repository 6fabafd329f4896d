package org.nelumbo.executor.cluster;

import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.superblock.ComputeNodeEntry;

/**
 * A compute node that shares the pool.
 *
 * @param id identity for messages from other compute nodes
 * @param tenant identity at the memory nodes, by which they can fence it
 * @param isGuest true for a client, which owns shards only if all members are clients
 * @param isLeaving true if it is about to leave in order, and receives no more shards
 * @param name name for display, cut off after {@value #NAME_LENGTH_MAX} characters
 * @param joinedMicros time at which it became a member, by its own clock; microseconds since 1970
 */
public record ClusterNode(
    PeerId id, long tenant, boolean isGuest, boolean isLeaving, String name, long joinedMicros) {
  static final int NAME_LENGTH_MAX = 64;

  public ClusterNode {
    name = name.length() > NAME_LENGTH_MAX ? name.substring(0, NAME_LENGTH_MAX) : name;
  }

  /** Creates a compute node that is not about to leave. */
  public ClusterNode(PeerId id, long tenant, boolean isGuest, String name, long joinedMicros) {
    this(id, tenant, isGuest, false, name, joinedMicros);
  }

  /** Returns this compute node, about to leave. */
  ClusterNode leaving() {
    return new ClusterNode(id, tenant, isGuest, true, name, joinedMicros);
  }

  /** Returns the identity of an entry in the table of compute nodes. */
  static PeerId id(ComputeNodeEntry entry) {
    return new PeerId(entry.entry(), entry.number());
  }

  /** Returns the entry in the table of compute nodes for an identity. */
  static ComputeNodeEntry entry(PeerId id) {
    return new ComputeNodeEntry((int) id.incarnation(), id.node());
  }
}
