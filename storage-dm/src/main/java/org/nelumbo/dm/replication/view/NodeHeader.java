package org.nelumbo.dm.replication.view;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolExpectation;

/**
 * A decoded copy of the header of a memory node.
 *
 * @param magic magic number; 0 if the node is empty
 * @param view latest view that was written to the node, or null if there is none
 * @param incarnation incarnation of the process that holds the memory
 * @param wasShared true if the header may list intents of compute nodes that share, or have shared,
 *     the pool
 * @param leftBytes number of leading bytes that may hold data of an earlier process
 * @param damagedPages number of pages whose contents were lost while the node was down
 */
public record NodeHeader(
    long magic,
    int format,
    int node,
    int nodes,
    long poolId,
    long nodeBytes,
    int copies,
    int virtualNodes,
    long slotBytes,
    boolean inUse,
    long filledBytes,
    long fillBytes,
    ViewRecord view,
    long incarnation,
    boolean wasShared,
    long leftBytes,
    long damagedPages) {
  /** Number of bytes of the first page that are decoded. */
  public static final int BYTES = NodeHeaderLayout.VIEWS_OFFSET + 2 * NodeHeaderLayout.VIEW_STRIDE;

  /** Reads the header of the node that a channel leads to. */
  public static NodeHeader read(Channel channel) {
    channel.read(PoolAddress.of(0, 0), 0, NodeHeaderLayout.LENGTH);
    channel.flush();
    return of(channel.staging());
  }

  /**
   * Decodes a copy of the first page, which has at least {@link #BYTES} bytes and is 8-byte
   * aligned.
   */
  public static NodeHeader of(MemorySegment page) {
    long format = word(page, NodeHeaderLayout.FORMAT_OFFSET);
    return new NodeHeader(
        word(page, NodeHeaderLayout.MAGIC_OFFSET),
        (int) format,
        (int) (format >>> 32) & 0xFFFF,
        (int) (format >>> 48),
        word(page, NodeHeaderLayout.POOL_ID_OFFSET),
        word(page, NodeHeaderLayout.NODE_BYTES_OFFSET),
        (int) word(page, NodeHeaderLayout.COPIES_OFFSET),
        Math.max(1, (int) word(page, NodeHeaderLayout.VIRTUAL_NODES_OFFSET)),
        word(page, NodeHeaderLayout.SLOT_BYTES_OFFSET),
        word(page, NodeHeaderLayout.IN_USE_OFFSET) != 0,
        word(page, NodeHeaderLayout.FILLED_OFFSET),
        word(page, NodeHeaderLayout.FILL_OFFSET),
        ViewRecord.latest(page),
        word(page, NodeHeaderLayout.INCARNATION_OFFSET),
        hasIntents(page),
        word(page, NodeHeaderLayout.LEFT_OFFSET),
        word(page, NodeHeaderLayout.DAMAGED_OFFSET));
  }

  private static boolean hasIntents(MemorySegment page) {
    long end = NodeHeaderLayout.INTENTS_OFFSET + NodeHeaderLayout.INTENTS_LENGTH;
    boolean isAny = false;
    for (int at = NodeHeaderLayout.INTENTS_OFFSET; at < end && end <= page.byteSize(); at += 8) {
      isAny |= word(page, at) != 0;
    }
    return isAny;
  }

  private static long word(MemorySegment page, int offset) {
    return page.get(ValueLayout.JAVA_LONG, offset);
  }

  public boolean isEmpty() {
    return magic == 0;
  }

  /** Returns true if the memory nodes of the pool agree on its views. */
  public boolean isAgreed() {
    return isReplicated() && format == NodeHeaderLayout.FORMAT;
  }

  /** Returns true if the pool has an old format, in which memory nodes did not agree on views. */
  public boolean isOld() {
    return isReplicated() && format < NodeHeaderLayout.FORMAT;
  }

  public boolean isReplicated() {
    return magic == NodeHeaderLayout.MAGIC;
  }

  /**
   * Returns true if, in the latest view written to the node, the node has the only live copy of
   * some logical node.
   */
  boolean isLastCopy() {
    if (magic == SuperblockLayout.MAGIC) {
      return true;
    }
    if (!isReplicated() || view == null || !view.isLive(node)) {
      return false;
    }
    Placement placement = new Placement(nodes, copies, virtualNodes, slotBytes);
    for (int slot = 0; slot < placement.slots(); slot++) {
      if (!isLiveElsewhere(placement, placement.logical(node, slot))) {
        return true;
      }
    }
    return false;
  }

  private boolean isLiveElsewhere(Placement placement, int logical) {
    for (int copy = 0; copy < copies; copy++) {
      int other = placement.node(logical, copy);
      if (other != node && view.isLive(other)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the membership of the node in a pool with several copies. */
  PoolMembership part() {
    if (!isReplicated() || view == null) {
      return PoolMembership.EMPTY;
    }
    boolean isLive = view.isLive(node);
    return new PoolMembership(
        isLive ? PoolMembership.Role.LIVE : PoolMembership.Role.FILLING,
        copies,
        view.number(),
        nodes,
        Long.bitCount(view.live()),
        isLive ? 0 : filledBytes,
        isLive ? 0 : fillBytes);
  }

  /** Returns the membership of the node as {@code key=value} text for display. */
  String describe() {
    PoolMembership part = part();
    if (part.role() == PoolMembership.Role.EMPTY) {
      return "";
    }
    String text =
        "copies="
            + copies
            + " pool="
            + PoolExpectation.text(poolId)
            + " view="
            + view.number()
            + (damagedPages == 0 ? "" : " damaged_pages=" + damagedPages);
    return part.role() == PoolMembership.Role.LIVE
        ? text + " role=live live=" + NodeBits.toString(view.live())
        : text
            + " role=filling live="
            + NodeBits.toString(view.live())
            + " filled="
            + filledBytes
            + " of="
            + fillBytes;
  }
}
