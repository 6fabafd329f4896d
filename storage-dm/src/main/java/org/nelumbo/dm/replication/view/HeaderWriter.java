package org.nelumbo.dm.replication.view;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntToLongFunction;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Reads and writes the headers of memory nodes. Failures are recorded in the {@link NodeChannels}.
 * Confined to one thread at a time.
 */
public final class HeaderWriter {
  /** Bytes cleared by one request, which takes about ten milliseconds. */
  private static final long CLEARED_BYTES = 64L << 20;

  private final NodeChannels channels;
  private final MemorySegment staging;
  private final long poolId;
  private final long[] incarnations;

  /**
   * @param incarnations current incarnations of the nodes, kept up to date by the caller
   */
  public HeaderWriter(NodeChannels channels, long poolId, long[] incarnations) {
    this.channels = channels;
    this.staging = channels.staging();
    this.poolId = poolId;
    this.incarnations = incarnations;
  }

  /** Returns the channels used for the headers. */
  public NodeChannels channels() {
    return channels;
  }

  /** Returns the most recent failure of a node. */
  public FabricException failure(int node) {
    return channels.failure(node);
  }

  public long poolId() {
    return poolId;
  }

  /** Returns a copy of the current incarnations of all nodes. */
  public long[] incarnations() {
    return incarnations.clone();
  }

  public long incarnation(int node) {
    return incarnations[node];
  }

  public void setIncarnation(int node, long incarnation) {
    incarnations[node] = incarnation;
  }

  /** Reads the header of a node that is part of a view; returns null if the node fails. */
  public NodeHeader read(View view, int node) {
    channels.begin();
    Channel channel = channels.to(view, node);
    if (channel == null) {
      return null;
    }
    try {
      channel.read(PoolAddress.of(0, 0), 0, NodeHeaderLayout.LENGTH);
    } catch (FabricException e) {
      return null;
    }
    return channels.flush() ? NodeHeader.of(staging) : null;
  }

  /**
   * Returns the highest view number in the headers of the live nodes of a view.
   *
   * @throws FabricException if one of these nodes does not respond
   */
  public long knownView(View view) {
    long known = 0;
    for (int node = 0; node < view.placement().nodes(); node++) {
      if (view.isLive(node)) {
        NodeHeader header = read(view, node);
        if (header == null) {
          throw new FabricException(node, "it does not return its view", channels.failure(node));
        }
        known = Math.max(known, header.view() == null ? 0 : header.view().number());
      }
    }
    return known;
  }

  /**
   * Probes all nodes that are part of a view; returns those that do not respond, one bit per node.
   */
  public long probe(View view) {
    channels.begin();
    for (int node = 0; node < view.placement().nodes(); node++) {
      Channel channel = view.connection(node) == null ? null : channels.to(view, node);
      if (channel != null) {
        post(node, () -> channel.read(PoolAddress.of(0, 0), 0, Long.BYTES));
      }
    }
    channels.flush();
    return channels.failed();
  }

  /**
   * Writes a view to the headers of its live nodes; returns the nodes that failed, one bit per
   * node.
   */
  public long writeView(View view) {
    assert view.lost() < 0 : "no live copy logical=" + view.lost();
    new ViewRecord(view.number(), view.liveNodes(), incarnations).write(staging, 0);
    channels.begin();
    for (int node = 0; node < view.placement().nodes(); node++) {
      if (view.isLive(node)) {
        postView(view, node);
      }
    }
    channels.flush();
    return channels.failed();
  }

  private void postView(View view, int node) {
    Channel channel = channels.to(view, node);
    if (channel != null) {
      post(
          node,
          () ->
              channel.write(
                  PoolAddress.of(0, NodeHeaderLayout.viewOffset(view.number())),
                  0,
                  NodeHeaderLayout.VIEW_LENGTH));
    }
  }

  private void post(int node, Runnable verbs) {
    try {
      verbs.run();
    } catch (FabricException e) {
      channels.setFailed(node, e);
    }
  }

  /**
   * Clears the data that an earlier process has left in the memory of a node, except its header.
   * Without this, copies would differ in bytes that have never been written. Returns false if the
   * node failed.
   */
  public boolean clear(View view, int node) {
    NodeHeader header = read(view, node);
    while (header != null && header.leftBytes() > NodeHeaderLayout.LENGTH) {
      channels.begin();
      Channel channel = channels.to(view, node);
      if (channel != null) {
        post(
            node,
            () ->
                channel.fetchAndAdd(
                    PoolAddress.of(0, NodeHeaderLayout.LEFT_OFFSET), -CLEARED_BYTES, 0));
      }
      header = channel != null && channels.flush() ? read(view, node) : null;
    }
    return header != null;
  }

  /**
   * Writes the whole header of a node, live or not, except the words that the memory node itself
   * writes. Returns false if the node failed.
   */
  public boolean format(View view, int node) {
    staging.asSlice(0, NodeHeaderLayout.LENGTH).fill((byte) 0);
    new ViewRecord(view.number(), view.liveNodes(), incarnations)
        .write(staging, NodeHeaderLayout.viewOffset(view.number()));
    return writeWord(view, node, NodeHeaderLayout.MAGIC_OFFSET, 0)
        && writeFields(view, node)
        && writeWord(view, node, NodeHeaderLayout.MAGIC_OFFSET, NodeHeaderLayout.MAGIC);
  }

  private boolean writeWord(View view, int node, int offset, long value) {
    channels.begin();
    Channel channel = channels.to(view, node);
    if (channel == null) {
      return false;
    }
    post(node, () -> channel.writeLong(PoolAddress.of(0, offset), value));
    return channels.flush();
  }

  private boolean writeFields(View view, int node) {
    channels.begin();
    Channel channel = channels.to(view, node);
    if (channel == null) {
      return false;
    }
    Placement placement = view.placement();
    set(NodeHeaderLayout.FORMAT_OFFSET, NodeHeaderLayout.formatWord(node, placement.nodes()));
    set(NodeHeaderLayout.POOL_ID_OFFSET, poolId);
    set(NodeHeaderLayout.NODE_BYTES_OFFSET, view.connection(node).nodeBytes());
    set(NodeHeaderLayout.COPIES_OFFSET, placement.copies());
    set(NodeHeaderLayout.SLOT_BYTES_OFFSET, placement.slotBytes());
    set(NodeHeaderLayout.VIRTUAL_NODES_OFFSET, placement.virtualNodes());
    set(NodeHeaderLayout.IN_USE_OFFSET, 1);
    int first = NodeHeaderLayout.FORMAT_OFFSET;
    post(
        node,
        () -> {
          channel.write(
              PoolAddress.of(0, first),
              first,
              NodeHeaderLayout.VIRTUAL_NODES_OFFSET + Long.BYTES - first);
          channel.write(
              PoolAddress.of(0, NodeHeaderLayout.VIEWS_OFFSET),
              NodeHeaderLayout.VIEWS_OFFSET,
              2 * NodeHeaderLayout.VIEW_STRIDE);
          channel.writeLong(PoolAddress.of(0, NodeHeaderLayout.DAMAGED_OFFSET), 0);
        });
    return channels.flush();
  }

  private void set(int offset, long value) {
    staging.set(ValueLayout.JAVA_LONG, offset, value);
  }

  /**
   * Upgrades the nodes of a view that was made without agreement to the header format of pools with
   * agreement. Returns the nodes that failed, one bit per node.
   */
  public long writeFormat(View view) {
    return writeWords(
        view,
        NodeHeaderLayout.FORMAT_OFFSET,
        node -> NodeHeaderLayout.formatWord(node, view.placement().nodes()));
  }

  /**
   * Erases the intent table on a node of a view. The memory of blocks that an earlier sharing of
   * the pool used may since have been allocated for other purposes. Returns false if the node
   * failed.
   */
  public boolean forgetIntents(View view, int node) {
    staging.asSlice(0, NodeHeaderLayout.INTENTS_LENGTH).fill((byte) 0);
    channels.begin();
    Channel channel = channels.to(view, node);
    if (channel == null) {
      return false;
    }
    post(
        node,
        () ->
            channel.write(
                PoolAddress.of(0, NodeHeaderLayout.INTENTS_OFFSET),
                0,
                NodeHeaderLayout.INTENTS_LENGTH));
    return channels.flush();
  }

  /**
   * Records on all nodes of a view whether a compute node has the pool open. Returns the nodes that
   * failed, one bit per node.
   */
  public long writeInUse(View view, boolean inUse) {
    return writeWords(view, NodeHeaderLayout.IN_USE_OFFSET, node -> inUse ? 1 : 0);
  }

  private long writeWords(View view, int offset, IntToLongFunction value) {
    channels.begin();
    for (int node = 0; node < view.placement().nodes(); node++) {
      Channel channel = view.connection(node) == null ? null : channels.to(view, node);
      if (channel != null) {
        long word = value.applyAsLong(node);
        post(node, () -> channel.writeLong(PoolAddress.of(0, offset), word));
      }
    }
    channels.flush();
    return channels.failed();
  }
}
