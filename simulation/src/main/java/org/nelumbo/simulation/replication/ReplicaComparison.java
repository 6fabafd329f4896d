package org.nelumbo.simulation.replication;

import java.util.BitSet;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.replication.intent.IntentLayout;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.simulation.cluster.Violation;

/**
 * A comparison of the copies of a shared pool while its compute nodes are idle except for their
 * heartbeats. Differences are in flight and must disappear soon. Counters on backups may be ahead.
 * Blocks of intents exist in one copy only.
 */
public final class ReplicaComparison {
  private static final int LOOKS_MAX = 200;
  private static final long LOOK_NANOS = 3_000;

  private final SimReplicas nodes;
  private final Placement placement;
  private final long live;

  private ReplicaComparison(SimReplicas nodes) {
    this.nodes = nodes;
    this.live = nodes.liveNodes();
    int any = Long.numberOfTrailingZeros(live);
    this.placement =
        new Placement(
            nodes.nodeCount(),
            Math.toIntExact(nodes.peek(any, NodeHeaderLayout.COPIES_OFFSET)),
            Math.max(1, Math.toIntExact(nodes.peek(any, NodeHeaderLayout.VIRTUAL_NODES_OFFSET))),
            nodes.peek(any, NodeHeaderLayout.SLOT_BYTES_OFFSET));
  }

  /**
   * Compares all copies; called by a simulated thread.
   *
   * @throws Violation if some of them differ
   */
  public static void check(SimReplicas nodes) {
    ReplicaComparison comparison = new ReplicaComparison(nodes);
    for (int logical = 0; logical < comparison.placement.logicals(); logical++) {
      comparison.check(logical);
    }
  }

  private void check(int logical) {
    long used =
        Math.min(
            word(logical, first(logical), SuperblockLayout.BUMP_OFFSET), placement.slotBytes());
    BitSet skipped = intents(logical);
    skipped.set(SuperblockLayout.BUMP_OFFSET >> 3);
    skipped.set(SuperblockLayout.CLOCK_OFFSET >> 3);
    skipped.set(SuperblockLayout.JOINS_OFFSET >> 3);
    for (int at = 0; at < used >> 3; at++) {
      for (int copy = 0; copy < placement.copies() && !skipped.get(at); copy++) {
        if (copy != first(logical) && isLive(logical, copy)) {
          awaitEqual(logical, copy, (long) at << 3);
        }
      }
    }
  }

  private boolean isLive(int logical, int copy) {
    return NodeBits.has(live, placement.node(logical, copy));
  }

  private int first(int logical) {
    int copy = 0;
    while (!isLive(logical, copy)) {
      copy++;
    }
    return copy;
  }

  private long word(int logical, int copy, long offset) {
    return nodes.peek(placement.node(logical, copy), placement.offset(logical, copy, offset));
  }

  private void awaitEqual(int logical, int copy, long offset) {
    int first = first(logical);
    for (int look = 0; word(logical, first, offset) != word(logical, copy, offset); look++) {
      if (look == LOOKS_MAX && !areStillLive(logical, first, copy)) {
        return;
      }
      if (look == LOOKS_MAX) {
        throw new Violation(
            "copies differ logical="
                + logical
                + " offset="
                + offset
                + " copy="
                + copy
                + " has=0x"
                + Long.toHexString(word(logical, copy, offset))
                + " primary=0x"
                + Long.toHexString(word(logical, first, offset)));
      }
      nodes.world().sleepUntil(nodes.world().now() + LOOK_NANOS);
    }
  }

  /** A view that began during the comparison may have excluded one of them. */
  private boolean areStillLive(int logical, int first, int copy) {
    long now = nodes.liveNodes();
    return NodeBits.has(now, placement.node(logical, first))
        && NodeBits.has(now, placement.node(logical, copy));
  }

  private BitSet intents(int logical) {
    BitSet words = new BitSet();
    if (logical < placement.nodes() && NodeBits.has(live, logical)) {
      for (long at : nodes.intentBlocks(logical)) {
        int from = Math.toIntExact(at - placement.offset(logical, 0, 0) >> 3);
        words.set(from, from + (IntentLayout.BLOCK_LENGTH >> 3));
      }
    }
    return words;
  }
}
