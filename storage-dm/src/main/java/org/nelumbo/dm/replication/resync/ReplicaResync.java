package org.nelumbo.dm.replication.resync;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.verbs.ReplicatedFlush;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.HighWaterMark;
import org.nelumbo.dm.replication.view.MissedWrites;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;

/**
 * Resynchronisation of a memory node: copies the windows that the node may miss ({@link
 * MissedWrites}) from the primaries while work continues. A few windows are copied at a time.
 * Meanwhile a write barrier blocks writes to them ({@link WriteBarrier}; in an exclusive pool it
 * locks their stripes). Later writes there also go to this node. Windows that are not missed are
 * skipped under the same barrier, because each earlier writer has then marked the windows that the
 * node misses. The view-change thread performs the steps.
 *
 * <p>Memory nodes first compare digests of the windows that may be missed ({@link
 * WindowComparison}); equal windows are not copied.
 *
 * <p>Before a slot is copied, the node reserves memory for everything to be copied, and a little
 * more. So a node whose file system is full reports this before any copying. For memory that is
 * allocated after the first window is copied, the node reserves memory like the others.
 */
public final class ReplicaResync {
  /** Number of windows copied at a time. Each step takes two round trips, whatever its size. */
  public static final int WINDOWS_TOGETHER = 4;

  private static final long RESERVED_BYTES = 1 << 20;

  /**
   * Maximum number of bytes skipped at a time; the lines of such a range share all stripes anyway.
   */
  private static final long PASSED_BYTES_MAX = 1 << 30;

  private final CurrentView currentView;
  private final WriteBarrier hold;
  private final NodeChannels channels;
  private final int windowBytes;
  private final WindowComparison comparison;
  private long copiedBytes;
  private long equalBytes;

  /**
   * Creates a resynchronisation of one node at a time.
   *
   * @param hold write barrier for the ranges that are copied
   * @param channels channels whose staging buffer has room for {@link #WINDOWS_TOGETHER} windows
   */
  public ReplicaResync(
      Environment environment,
      CurrentView currentView,
      WriteBarrier hold,
      NodeChannels channels,
      int windowBytes) {
    this.currentView = currentView;
    this.hold = hold;
    this.channels = channels;
    this.windowBytes = windowBytes;
    this.comparison = new WindowComparison(environment, currentView, channels, windowBytes);
  }

  /** Begins with another node: reads how much there is to copy, which may still grow. */
  public void begin(View view, int node) {
    copiedBytes = 0;
    equalBytes = 0;
    comparison.begin();
    currentView.health().beginFill(node);
    for (int slot = 0; slot < view.placement().slots(); slot++) {
      // The first window contains the number of allocated bytes, so it is always copied.
      currentView.missed(node).mark(slot, 0, 1);
      if (read(view, view.placement().logical(node, slot), 0, HighWaterMark.LENGTH)) {
        view.resync(node).want(slot, used(view));
      }
    }
  }

  private long used(View view) {
    return HighWaterMark.of(channels.staging(), 0, view.placement().slotBytes());
  }

  /** Returns the number of bytes copied since {@link #begin}. */
  public long copiedBytes() {
    return copiedBytes;
  }

  /** Returns the number of bytes that were found to be equal since {@link #begin}. */
  public long equalBytes() {
    return equalBytes;
  }

  /**
   * Copies some windows, skips windows that are not missed, or completes a slot. Reports failures
   * to the current view.
   */
  public void step(View view, int node) {
    ResyncProgress resyncProgress = view.resync(node);
    int slot = 0;
    while (resyncProgress.isFinished(slot)) {
      slot++;
    }
    int logical = view.placement().logical(node, slot);
    long from = resyncProgress.filled(slot);
    if (from == 0 && resyncProgress.reserved(slot) < reserve(view, resyncProgress.wanted(slot))) {
      reserveMore(view, node, resyncProgress, slot);
    } else if (from >= resyncProgress.wanted(slot)) {
      finish(view, node, resyncProgress, logical, slot);
    } else {
      copyOrPass(view, node, resyncProgress, logical, slot);
    }
  }

  private void copyOrPass(
      View view, int node, ResyncProgress resyncProgress, int logical, int slot) {
    MissedWrites missed = currentView.missed(node);
    long from = resyncProgress.filled(slot);
    long wanted = resyncProgress.wanted(slot);
    long next = missed.nextMarked(slot, from, wanted);
    boolean isMissed = next == from;
    // The first window is copied alone, because it contains the number of allocated bytes.
    int compared = isMissed && from > 0 ? comparison.nextWindows() : 0;
    int together = from == 0 ? 1 : Math.max(compared, WINDOWS_TOGETHER);
    int length =
        (int)
            (isMissed
                ? run(missed, slot, from, wanted, together)
                : Math.min(next - from, PASSED_BYTES_MAX));
    if (!hold.tryHold(view, node, slot, logical, from, length)) {
      return;
    }
    try {
      if (compared > 0) {
        compareWindows(view, node, resyncProgress, logical, slot, length);
      } else if (isMissed) {
        copyWindows(view, node, resyncProgress, logical, slot, length);
      } else {
        resyncProgress.advance(slot, missed.nextMarked(slot, from, from + length));
      }
    } finally {
      hold.release();
    }
  }

  private void compareWindows(
      View view, int node, ResyncProgress resyncProgress, int logical, int slot, int length) {
    long from = resyncProgress.filled(slot);
    if (!comparison.run(view, node, slot, logical, from, length)) {
      return;
    }
    for (int range = 0; range < comparison.count(); ) {
      int behind = behindBatch(range);
      if (!copyRanges(view, node, logical, slot, range, behind)) {
        return;
      }
      range = behind;
    }
    long copied = comparison.differingBytes();
    passed(node, resyncProgress, slot, length);
    copiedBytes += copied;
    equalBytes += length - copied;
    currentView.health().countCopied(node, copied);
    currentView.health().countEqual(node, length - copied);
  }

  private int behindBatch(int first) {
    int behind = first;
    long bytes = 0;
    while (behind < comparison.count()
        && bytes + comparison.length(behind) <= (long) WINDOWS_TOGETHER * windowBytes) {
      bytes += padded(comparison.length(behind));
      behind++;
    }
    return behind;
  }

  private static int padded(int length) {
    return (length + 7) & -8;
  }

  private boolean copyRanges(View view, int node, int logical, int slot, int first, int behind) {
    long source = view.placement().offset(logical, view.primaryCopy(logical), 0);
    long target = view.placement().slotOffset(slot, 0);
    return run(
            view,
            view.primary(logical),
            channel -> {
              int place = 0;
              for (int range = first; range < behind; range++) {
                int length = comparison.length(range);
                channel.read(PoolAddress.of(0, source + comparison.from(range)), place, length);
                place += padded(length);
              }
            })
        && run(
            view,
            node,
            channel -> {
              int place = 0;
              for (int range = first; range < behind; range++) {
                int length = comparison.length(range);
                channel.write(PoolAddress.of(0, target + comparison.from(range)), place, length);
                place += padded(length);
              }
            });
  }

  /** Writes there are blocked, and later ones also go to the node. */
  private void passed(int node, ResyncProgress resyncProgress, int slot, int length) {
    long from = resyncProgress.filled(slot);
    for (long at = window(from); at + windowBytes <= from + length; at += windowBytes) {
      currentView.missed(node).unmark(slot, at);
    }
    resyncProgress.advance(slot, from + length);
  }

  /**
   * Returns the length of a run of missed windows, limited to the number that is taken together.
   */
  private long run(MissedWrites missed, int slot, long from, long wanted, int together) {
    long end = window(from) + windowBytes;
    for (int windows = 1;
        windows < together && end < wanted && missed.nextMarked(slot, end, wanted) == end;
        windows++) {
      end += windowBytes;
    }
    return Math.min(end, wanted) - from;
  }

  private long window(long offset) {
    return offset & -windowBytes;
  }

  private static long reserve(View view, long wanted) {
    return Math.min(wanted + RESERVED_BYTES, view.placement().slotBytes());
  }

  private void reserveMore(View view, int node, ResyncProgress resyncProgress, int slot) {
    long from = resyncProgress.reserved(slot);
    long to = Math.min(from + RESERVED_BYTES, reserve(view, resyncProgress.wanted(slot)));
    long reserveWord = PoolAddress.of(0, NodeHeaderLayout.RESERVE_OFFSET);
    boolean isDone =
        run(
            view,
            node,
            channel -> {
              channel.writeLong(reserveWord, view.placement().slotOffset(slot, from));
              channel.fetchAndAdd(reserveWord, to - from, 0);
            });
    if (isDone && channels.staging().get(ValueLayout.JAVA_LONG, 0) == SuperblockLayout.NO_ROOM) {
      currentView.suspect(
          node,
          view.connection(node),
          new FabricException(node, ReplicatedFlush.NO_ROOM_TEXT, null));
    } else if (isDone) {
      resyncProgress.reserve(slot, to);
    }
  }

  private void copyWindows(
      View view, int node, ResyncProgress resyncProgress, int logical, int slot, int length) {
    long from = resyncProgress.filled(slot);
    if (!read(view, logical, from, length)) {
      return;
    }
    if (from == 0 && used(view) > resyncProgress.reserved(slot)) {
      resyncProgress.want(slot, used(view));
    } else if (write(view, node, slot, length)) {
      passed(node, resyncProgress, slot, length);
      copiedBytes += length;
      currentView.health().countCopied(node, length);
    }
  }

  /** An allocation waits until this is decided. */
  private void finish(View view, int node, ResyncProgress resyncProgress, int logical, int slot) {
    if (!hold.tryHold(view, node, slot, logical, 0, HighWaterMark.LENGTH)) {
      return;
    }
    try {
      if (read(view, logical, 0, HighWaterMark.LENGTH)) {
        resyncProgress.want(slot, used(view));
        if (resyncProgress.filled(slot) >= resyncProgress.wanted(slot)) {
          currentView.missed(node).unmarkFrom(slot, resyncProgress.wanted(slot));
          resyncProgress.finish(slot);
        }
      }
    } finally {
      hold.release();
    }
  }

  private boolean read(View view, int logical, long from, int length) {
    int node = view.primary(logical);
    long offset = view.placement().offset(logical, view.primaryCopy(logical), from);
    return run(view, node, channel -> channel.read(PoolAddress.of(0, offset), 0, length));
  }

  /** Writes the windows, and the progress for status requests to the node. */
  private boolean write(View view, int node, int slot, int length) {
    ResyncProgress resyncProgress = view.resync(node);
    long offset = view.placement().slotOffset(slot, resyncProgress.filled(slot));
    return run(
        view,
        node,
        channel -> {
          channel.write(PoolAddress.of(0, offset), 0, length);
          channel.writeLong(
              PoolAddress.of(0, NodeHeaderLayout.FILLED_OFFSET),
              resyncProgress.filledBytes() + length);
          channel.writeLong(
              PoolAddress.of(0, NodeHeaderLayout.FILL_OFFSET), resyncProgress.wantedBytes());
        });
  }

  private interface Verbs {
    void post(Channel channel);
  }

  private boolean run(View view, int node, Verbs verbs) {
    channels.begin();
    Channel channel = channels.to(view, node);
    try {
      if (channel != null) {
        verbs.post(channel);
      }
    } catch (FabricException e) {
      channels.setFailed(node, e);
    }
    if (channels.flush()) {
      return true;
    }
    currentView.suspect(node, view.connection(node), channels.failure(node));
    return false;
  }
}
