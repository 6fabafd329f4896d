package org.nelumbo.executor.cluster;

import java.util.List;

/**
 * Report on the compute nodes of a pool, as they are now.
 *
 * @param configuration that is followed by who has made the report
 * @param nodes members first, then those that are not yet, or no longer
 */
public record ClusterReport(ClusterConfiguration configuration, List<Node> nodes) {
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
}
