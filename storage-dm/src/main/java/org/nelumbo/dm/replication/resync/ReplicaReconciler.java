package org.nelumbo.dm.replication.resync;

import java.lang.foreign.MemorySegment;
import java.util.function.ToLongFunction;
import org.nelumbo.dm.pool.AttachProgress;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.HighWaterMark;
import org.nelumbo.dm.replication.view.MissedWrites;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the copies of a pool equal after a compute node has failed, because some copies may have
 * more of its last writes than others.
 *
 * <ol>
 *   <li>All copies are compared, and the windows that differ are recorded.
 *   <li>The nodes with such windows are overwritten with the contents of the primaries, one node at
 *       a time.
 * </ol>
 *
 * <p><b>Failure meanwhile.</b> A copy that is being changed is a mixture of two states. So its node
 * is not live in the view while it is changed, and becomes live again afterwards. Each other node
 * has either a copy as the failed compute node left it, with some prefix of each flush, or one that
 * equals its primary. The next attach continues from these, and fills the node that was being
 * changed. A node that has the only live copy of some logical node cannot be excluded; it is
 * changed while it is live.
 */
public final class ReplicaReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaReconciler.class);

  /** Number of bytes of each copy between two log messages, some seconds. */
  private static final long LOGGED_BYTES = 512L << 20;

  private final View view;
  private final NodeChannels channels;
  private final HeaderWriter headers;
  private final ToLongFunction<View> viewWriter;
  private final MemorySegment staging;
  private final int windowBytes;

  /** Windows of each node that differ from those of the primaries; null for a node without any. */
  private final MissedWrites[] differences;

  private long comparedBytes;
  private long changedBytes;

  private final long[] used;

  /**
   * @param view view of the copies, which is not written yet
   * @param viewWriter writes a view, and returns the nodes that failed, one bit per node
   * @param windowBytes number of bytes compared at a time; the staging buffer has room for a window
   *     of each copy
   */
  public ReplicaReconciler(
      View view,
      NodeChannels channels,
      HeaderWriter headers,
      ToLongFunction<View> viewWriter,
      int windowBytes) {
    this.view = view;
    this.channels = channels;
    this.headers = headers;
    this.viewWriter = viewWriter;
    this.staging = channels.staging();
    this.windowBytes = windowBytes;
    this.differences = new MissedWrites[view.placement().nodes()];
    this.used = new long[view.placement().logicals()];
  }

  /**
   * Compares all copies and changes those that differ.
   *
   * @return a view of the nodes that were live, which is not written yet
   * @throws FabricException if a node fails; then no view is in force
   */
  public View reconcile() {
    for (int logical = 0; logical < view.placement().logicals(); logical++) {
      compare(logical);
    }
    View next = view;
    for (int node = 0; node < differences.length; node++) {
      if (differences[node] != null) {
        next = makeEqual(next, node);
      }
    }
    return next;
  }

  private void compare(int logical) {
    readCopies(logical, 0, HighWaterMark.LENGTH);
    used[logical] = HighWaterMark.of(staging, primaryPlace(logical), view.placement().slotBytes());
    for (long from = 0; from < used[logical]; from += windowBytes) {
      int length = (int) Math.min(windowBytes, used[logical] - from);
      if (from > 0 && from % LOGGED_BYTES < windowBytes) {
        LOG.info(
            "comparing copies: {} of {} bytes of logical node {} of {}",
            from,
            used[logical],
            logical,
            view.placement().logicals());
      }
      AttachProgress.report(AttachProgress.Phase.COMPARING, comparedBytes += length);
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
        post(logical, copy, from, copy * windowBytes, length);
      }
    }
    flush();
  }

  private void post(int logical, int copy, long from, int stagingOffset, int length) {
    long offset = view.placement().offset(logical, copy, from);
    Channel channel = channels.to(view, view.placement().node(logical, copy));
    if (channel != null) {
      channel.read(PoolAddress.of(0, offset), stagingOffset, length);
    }
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
    boolean isDifferent =
        MemorySegment.mismatch(staging, right, right + length, staging, other, other + length) >= 0;
    if (isDifferent) {
      int node = view.placement().node(logical, copy);
      if (differences[node] == null) {
        differences[node] =
            new MissedWrites(view.placement().slots(), view.placement().slotBytes(), windowBytes);
      }
      differences[node].mark(view.placement().slot(logical, copy), from, length);
    }
  }

  /** Changes the copies of a node; returns the view to continue with, which is not written yet. */
  private View makeEqual(View next, int node) {
    View without =
        next.with(
            next.number(),
            node,
            next.connection(node),
            new ResyncProgress(next.placement().slots()));
    boolean isLeftOut = without.lost() < 0;
    if (isLeftOut) {
      check(headers.writeInUse(next, true));
      check(viewWriter.applyAsLong(without));
      check(headers.format(without, node) ? 0 : 1L << node);
    }
    long bytes = 0;
    for (int slot = 0; slot < view.placement().slots(); slot++) {
      bytes += copyWindows(node, slot);
    }
    LOG.info(
        "the last owner did not close the pool: memory node {} had {} bytes in windows"
            + " that differed, and now has the data of the primaries",
        node,
        bytes);
    if (!isLeftOut) {
      return next;
    }
    View with = next.with(next.number() + 1);
    check(viewWriter.applyAsLong(with));
    return with.with(with.number() + 1);
  }

  private long copyWindows(int node, int slot) {
    int logical = view.placement().logical(node, slot);
    int copy = view.placement().copy(node, logical);
    long limit = used[logical];
    MissedWrites windows = differences[node];
    long bytes = 0;
    for (long at = windows.nextMarked(slot, 0, limit);
        at < limit;
        at = windows.nextMarked(slot, at + windowBytes, limit)) {
      int length = (int) Math.min(windowBytes, limit - at);
      channels.begin();
      post(logical, view.primaryCopy(logical), at, 0, length);
      flush();
      channels.begin();
      Channel channel = channels.to(view, node);
      if (channel != null) {
        channel.write(PoolAddress.of(0, view.placement().offset(logical, copy, at)), 0, length);
      }
      flush();
      bytes += length;
      AttachProgress.report(AttachProgress.Phase.EQUALISING, changedBytes += length);
    }
    return bytes;
  }

  private static void check(long failed) {
    if (failed != 0) {
      throw new FabricException(
          Long.numberOfTrailingZeros(failed),
          "a memory node failed while copies were reconciled",
          null);
    }
  }
}
