package org.nelumbo.dm.replication.view;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.layout.NodeHeaderLayout;

/**
 * A view as it is stored in the headers of memory nodes.
 *
 * @param number view number
 * @param live live nodes, one bit per node
 * @param incarnations incarnations of the nodes in this view
 */
public record ViewRecord(long number, long live, long[] incarnations) {
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  /** Binary logarithm of the distance between forced view numbers: a million view changes. */
  private static final int FORCED_SHIFT = 20;

  public ViewRecord {
    incarnations = Arrays.copyOf(incarnations, NodeHeaderLayout.NODES_MAX);
  }

  /**
   * Returns the number of a forced view, which is made without the agreement of missing nodes. It
   * is higher than any view number that the missing nodes can have. Its parity differs from that of
   * the latest view, so that its record does not overwrite the latest one.
   */
  public static long forcedNumber(long latest) {
    return ((latest >>> FORCED_SHIFT) + 1 << FORCED_SHIFT) + (~latest & 1);
  }

  public boolean isLive(int node) {
    return (live >>> node & 1) != 0;
  }

  public long incarnation(int node) {
    return incarnations[node];
  }

  void write(MemorySegment to, long at) {
    to.set(ValueLayout.JAVA_LONG, at + NodeHeaderLayout.VIEW_NUMBER_OFFSET, number);
    to.set(ValueLayout.JAVA_LONG, at + NodeHeaderLayout.VIEW_LIVE_OFFSET, live);
    to.set(ValueLayout.JAVA_LONG, at + NodeHeaderLayout.VIEW_CHECKSUM_OFFSET, checksum());
    MemorySegment.copy(
        incarnations,
        0,
        to,
        ValueLayout.JAVA_LONG,
        at + NodeHeaderLayout.VIEW_INCARNATIONS_OFFSET,
        incarnations.length);
  }

  /** Returns the later of the two records of a header, or null if neither is complete. */
  static ViewRecord latest(MemorySegment header) {
    ViewRecord even = read(header, NodeHeaderLayout.viewOffset(0));
    ViewRecord odd = read(header, NodeHeaderLayout.viewOffset(1));
    if (even == null || odd == null) {
      return even == null ? odd : even;
    }
    return even.number > odd.number ? even : odd;
  }

  private static ViewRecord read(MemorySegment from, long at) {
    long[] incarnations =
        from.asSlice(
                at + NodeHeaderLayout.VIEW_INCARNATIONS_OFFSET,
                (long) NodeHeaderLayout.NODES_MAX * Long.BYTES)
            .toArray(ValueLayout.JAVA_LONG);
    ViewRecord record =
        new ViewRecord(
            from.get(ValueLayout.JAVA_LONG, at + NodeHeaderLayout.VIEW_NUMBER_OFFSET),
            from.get(ValueLayout.JAVA_LONG, at + NodeHeaderLayout.VIEW_LIVE_OFFSET),
            incarnations);
    long checksum = from.get(ValueLayout.JAVA_LONG, at + NodeHeaderLayout.VIEW_CHECKSUM_OFFSET);
    return record.number > 0 && checksum == record.checksum() ? record : null;
  }

  private long checksum() {
    long sum = (number * FACTOR ^ live) * FACTOR;
    for (long incarnation : incarnations) {
      sum = (Long.rotateLeft(sum, 23) ^ incarnation) * FACTOR;
    }
    return sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ViewRecord that
        && number == that.number
        && live == that.live
        && Arrays.equals(incarnations, that.incarnations);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(checksum());
  }

  @Override
  public String toString() {
    return "view " + number + " of nodes " + NodeBits.toString(live);
  }
}
