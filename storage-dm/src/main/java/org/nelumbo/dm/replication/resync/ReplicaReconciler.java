package org.nelumbo.dm.replication.resync;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.view.HighWaterMark;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the copies of a pool equal after a compute node has died: some may have more of what it was
 * writing than others. First everything is compared and the differences are kept here; only then
 * are the copies changed to what their primary has. So each copy is as the dead left it, some first
 * part of each flush, until the last moment.
 */
public final class ReplicaReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaReconciler.class);
  private static final int PIECE_BYTES = 256;

  /** Bytes of each copy between two lines in the log: some seconds. */
  private static final long LOGGED_BYTES = 512L << 20;

  private final View view;
  private final NodeChannels channels;
  private final MemorySegment staging;
  private final int windowBytes;
  private final List<Difference> differences = new ArrayList<>();

  /** Bytes of a copy that differ, with the content of the primary. */
  private record Difference(int node, long offset, byte[] bytes) {}

  /**
   * @param windowBytes compared at a time; the staging has room for one of each copy
   */
  public ReplicaReconciler(View view, NodeChannels channels, int windowBytes) {
    this.view = view;
    this.channels = channels;
    this.staging = channels.staging();
    this.windowBytes = windowBytes;
  }

  /**
   * Compares all copies and changes those that differ.
   *
   * @return bytes that were changed, rounded up to pieces
   * @throws FabricException if a node fails; nothing is in force then
   */
  public long reconcile() {
    for (int logical = 0; logical < view.placement().logicals(); logical++) {
      compare(logical);
    }
    long bytes = 0;
    for (Difference difference : differences) {
      apply(difference);
      bytes += difference.bytes.length;
    }
    return bytes;
  }

  private void compare(int logical) {
    readCopies(logical, 0, HighWaterMark.LENGTH);
    long used = HighWaterMark.of(staging, primaryPlace(logical), view.placement().slotBytes());
    for (long from = 0; from < used; from += windowBytes) {
      int length = (int) Math.min(windowBytes, used - from);
      if (from > 0 && from % LOGGED_BYTES < windowBytes) {
        LOG.info(
            "comparing copies: {} of {} bytes of logical node {} of {}",
            from,
            used,
            logical,
            view.placement().logicals());
      }
      readCopies(logical, from, length);
      for (int copy = 0; copy < view.placement().copies(); copy++) {
        if (copy != view.primaryCopy(logical) && isLive(logical, copy)) {
          collect(logical, copy, from, length);
        }
      }
    }
  }

  private boolean isLive(int logical, int copy) {
    return view.isLive(view.placement().node(logical, copy));
  }

  private int primaryPlace(int logical) {
    return view.primaryCopy(logical) * windowBytes;
  }

  private void readCopies(int logical, long from, int length) {
    channels.begin();
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      if (isLive(logical, copy)) {
        int node = view.placement().node(logical, copy);
        long offset = view.placement().offset(logical, copy, from);
        int place = copy * windowBytes;
        Channel channel = channels.to(view, node);
        if (channel != null) {
          channel.read(PoolAddress.of(0, offset), place, length);
        }
      }
    }
    flush();
  }

  private void flush() {
    if (!channels.flush()) {
      int node = Long.numberOfTrailingZeros(channels.failed());
      throw new FabricException(node, "a memory node failed while copies were compared", null);
    }
  }

  private void collect(int logical, int copy, long from, int length) {
    long right = primaryPlace(logical);
    long other = (long) copy * windowBytes;
    for (int at = 0; at < length; at += PIECE_BYTES) {
      int bytes = Math.min(PIECE_BYTES, length - at);
      if (MemorySegment.mismatch(
              staging, right + at, right + at + bytes, staging, other + at, other + at + bytes)
          >= 0) {
        differences.add(
            new Difference(
                view.placement().node(logical, copy),
                view.placement().offset(logical, copy, from + at),
                staging.asSlice(right + at, bytes).toArray(ValueLayout.JAVA_BYTE)));
      }
    }
  }

  private void apply(Difference difference) {
    MemorySegment.copy(
        difference.bytes, 0, staging, ValueLayout.JAVA_BYTE, 0, difference.bytes.length);
    channels.begin();
    Channel channel = channels.to(view, difference.node);
    if (channel != null) {
      channel.write(PoolAddress.of(0, difference.offset), 0, difference.bytes.length);
    }
    flush();
  }
}
