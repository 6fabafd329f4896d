package org.nelumbo.executor.cluster;

import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.superblock.ComputeNodeEntry;

/**
 * A compute node that shares the pool.
 *
 * @param id by which the others send it messages
 * @param tenant by what memory nodes know it, and can be told to serve it no longer
 * @param isGuest whether it owns shards only if all members are guests
 * @param isLeaving whether it is about to leave in order, and gets no more shards
 * @param name for people; at most {@value #NAME_LENGTH_MAX} characters count
 * @param joinedMicros when it became a member, by its own clock; microseconds since 1970
 */
public record ClusterNode(
    PeerId id, long tenant, boolean isGuest, boolean isLeaving, String name, long joinedMicros) {
  /** More is cut off. */
  static final int NAME_LENGTH_MAX = 64;

  public ClusterNode {
    name = name.length() > NAME_LENGTH_MAX ? name.substring(0, NAME_LENGTH_MAX) : name;
  }

  /** A compute node that stays. */
  public ClusterNode(PeerId id, long tenant, boolean isGuest, String name, long joinedMicros) {
    this(id, tenant, isGuest, false, name, joinedMicros);
  }

  /** Returns this compute node, about to leave. */
  ClusterNode leaving() {
    return new ClusterNode(id, tenant, isGuest, true, name, joinedMicros);
  }

  /** Its identity, made of its entry in the table of compute nodes. */
  static PeerId id(ComputeNodeEntry entry) {
    return new PeerId(entry.entry(), entry.number());
  }

  /** Its entry in the table of compute nodes. */
  static ComputeNodeEntry entry(PeerId id) {
    return new ComputeNodeEntry((int) id.incarnation(), id.node());
  }
}
