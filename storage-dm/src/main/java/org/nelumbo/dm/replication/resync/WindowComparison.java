package org.nelumbo.dm.replication.resync;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.WindowDigest;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;

/**
 * Finds which windows a memory node has as the primaries have them, by {@link WindowDigest}: a node
 * that was away may have kept its memory, or most of it. Nobody writes there meanwhile, as when
 * they are copied.
 *
 * <p>More windows are compared at a time as long as they are equal. Where all of them differ, some
 * are copied without a look, more each time: so a node that is back empty costs next to nothing.
 */
final class WindowComparison {
  /**
   * Most windows compared at a time. All lines of that many share a quarter of the stripes, which
   * are held meanwhile.
   */
  static final int WINDOWS_MAX = 16;

  private static final int BLIND_MAX = 64;

  private final Environment environment;
  private final CurrentView currentView;
  private final NodeChannels channels;
  private final int windowBytes;

  private long keyFirst;
  private long keySecond;

  /** Whether no memory node was met that has no digests. */
  private boolean isPossible;

  /** To be compared at the next look. */
  private int windows;

  /** Times that windows are copied without a look, when all of those compared have differed. */
  private int blind;

  private int blindLeft;

  /** Windows that were compared last. */
  private int count;

  WindowComparison(
      Environment environment, CurrentView currentView, NodeChannels channels, int windowBytes) {
    this.environment = environment;
    this.currentView = currentView;
    this.channels = channels;
    this.windowBytes = windowBytes;
  }

  /** Begins with another memory node. */
  void begin() {
    keyFirst = environment.randomLong();
    keySecond = environment.randomLong();
    isPossible = windowBytes <= WindowDigest.WINDOW_BYTES_MAX;
    windows = ReplicaResync.WINDOWS_TOGETHER;
    blind = 0;
    blindLeft = 0;
  }

  /** How many windows are to be compared next; 0: some are to be copied without a look. */
  int nextWindows() {
    if (!isPossible) {
      return 0;
    }
    if (blindLeft > 0) {
      blindLeft--;
      return 0;
    }
    return windows;
  }

  /**
   * Compares windows; nobody writes there. Returns false if a memory node cannot, or has failed:
   * that was reported to the current view.
   *
   * @param from where the first one begins, or what is missing of it
   */
  boolean run(View view, int node, int slot, int logical, long from, int length) {
    int source = view.primary(logical);
    long sourceOffset = view.placement().offset(logical, view.primaryCopy(logical), from);
    long targetOffset = view.placement().slotOffset(slot, from);
    count = 0;
    for (long at = from; at < from + length; at = windowEnd(at)) {
      count++;
    }
    channels.begin();
    post(view, source, sourceOffset - from, from, length, 0);
    post(view, node, targetOffset - from, from, length, count * WindowDigest.LENGTH);
    if (!isPossible) {
      channels.discard();
      return false;
    }
    tellProgress(view, node);
    if (!channels.flush()) {
      for (long failed = channels.failed(); failed != 0; failed &= failed - 1) {
        int each = Long.numberOfTrailingZeros(failed);
        currentView.suspect(each, view.connection(each), channels.failure(each));
      }
      return false;
    }
    learn();
    return true;
  }

  private void post(View view, int node, long offset, long from, int length, int place) {
    Channel channel = channels.to(view, node);
    if (channel == null) {
      return;
    }
    isPossible &= channel.canDigest();
    int to = place;
    for (long at = from; isPossible && at < from + length; at = windowEnd(at)) {
      int bytes = (int) (Math.min(windowEnd(at), from + length) - at);
      try {
        channel.digest(PoolAddress.of(0, offset + at), bytes, keyFirst, keySecond, to);
      } catch (FabricException e) {
        channels.setFailed(node, e);
        return;
      }
      to += WindowDigest.LENGTH;
    }
  }

  /** For those who ask the node how far it is. */
  private void tellProgress(View view, int node) {
    ResyncProgress progress = view.resync(node);
    if (NodeBits.has(channels.failed(), node)) {
      return;
    }
    try {
      Channel channel = channels.to(view, node);
      channel.writeLong(PoolAddress.of(0, NodeHeaderLayout.FILLED_OFFSET), progress.filledBytes());
      channel.writeLong(PoolAddress.of(0, NodeHeaderLayout.FILL_OFFSET), progress.wantedBytes());
    } catch (FabricException e) {
      channels.setFailed(node, e);
    }
  }

  private void learn() {
    int differing = 0;
    for (int window = 0; window < count; window++) {
      differing += differs(window) ? 1 : 0;
    }
    if (differing == 0) {
      windows = Math.min(2 * windows, WINDOWS_MAX);
      blind = 0;
    } else {
      windows = Math.max(ReplicaResync.WINDOWS_TOGETHER, windows / 2);
      blind = differing == count ? Math.min(2 * blind + 1, BLIND_MAX) : 0;
    }
    blindLeft = blind;
  }

  /** Where the window of an offset ends. */
  private long windowEnd(long at) {
    return (at & -windowBytes) + windowBytes;
  }

  /** Windows that were compared. */
  int count() {
    return count;
  }

  /** Whether a window differs, of those that were compared last, until the next flush. */
  boolean differs(int window) {
    MemorySegment digests = channels.staging();
    long at = (long) window * WindowDigest.LENGTH;
    long other = (long) (count + window) * WindowDigest.LENGTH;
    return MemorySegment.mismatch(
            digests, at, at + WindowDigest.LENGTH, digests, other, other + WindowDigest.LENGTH)
        >= 0;
  }
}
