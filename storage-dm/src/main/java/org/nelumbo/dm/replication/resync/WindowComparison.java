package org.nelumbo.dm.replication.resync;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
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
 * Determines which parts of a memory node equal the primaries, by {@link WindowDigest}. A node that
 * was away may have kept its memory, or most of it. Windows are compared first, then the pieces of
 * the windows that differ. A write barrier blocks writes meanwhile, as for copying.
 *
 * <p>Where nearly everything differs, some windows are copied without a comparison, and more of
 * them each time. So a node that returns empty costs few additional round trips.
 */
final class WindowComparison {
  /**
   * Maximum number of windows compared at a time. Their lines share a quarter of the stripes, which
   * are held meanwhile.
   */
  static final int WINDOWS_MAX = 16;

  /** Unit of copying where a window differs. */
  private static final int PIECE_BYTES = 4 << 10;

  private static final int BLIND_MAX = 64;

  private final Environment environment;
  private final CurrentView currentView;
  private final NodeChannels channels;
  private final int windowBytes;

  private long keyFirst;
  private long keySecond;

  /** True if all memory nodes so far support digests. */
  private boolean isPossible;

  /**
   * Number of times to copy windows without a comparison; it grows when nearly all compared windows
   * differ.
   */
  private int blind;

  private int blindLeft;

  /** Ranges to compare; after a comparison, the ranges that differ. */
  private final long[] from;

  private final int[] lengths;
  private int count;

  WindowComparison(
      Environment environment, CurrentView currentView, NodeChannels channels, int windowBytes) {
    this.environment = environment;
    this.currentView = currentView;
    this.channels = channels;
    this.windowBytes = windowBytes;
    int pieces = Math.max(1, windowBytes / PIECE_BYTES);
    this.from = new long[(WINDOWS_MAX + 1) * pieces];
    this.lengths = new int[from.length];
  }

  /** Begins with another memory node. */
  void begin() {
    keyFirst = environment.randomLong();
    keySecond = environment.randomLong();
    isPossible = windowBytes <= WindowDigest.WINDOW_BYTES_MAX;
    blind = 0;
    blindLeft = 0;
  }

  /** Returns the number of windows to compare next, or 0 to copy windows without a comparison. */
  int nextWindows() {
    if (!isPossible) {
      return 0;
    }
    if (blindLeft > 0) {
      blindLeft--;
      return 0;
    }
    return WINDOWS_MAX;
  }

  /**
   * Finds the parts of some windows that differ. Writes there are blocked. Returns false if a
   * memory node does not support digests, or has failed; a failure is reported to the current view.
   */
  boolean run(View view, int node, int slot, int logical, long first, int length) {
    long end = first + length;
    count = 0;
    addParts(first, end, windowBytes);
    if (!compare(view, node, slot, logical)) {
      return false;
    }
    if (count > 0 && windowBytes > PIECE_BYTES) {
      int windows = count;
      long[] windowFrom = Arrays.copyOf(from, windows);
      int[] windowLengths = Arrays.copyOf(lengths, windows);
      count = 0;
      for (int window = 0; window < windows; window++) {
        long at = windowFrom[window];
        addParts(at, at + windowLengths[window], PIECE_BYTES);
      }
      if (!compare(view, node, slot, logical)) {
        return false;
      }
    }
    learn(length);
    return true;
  }

  private void addParts(long first, long end, int bytes) {
    for (long at = first; at < end; count++) {
      long next = Math.min((at & -bytes) + bytes, end);
      from[count] = at;
      lengths[count] = (int) (next - at);
      at = next;
    }
  }

  private boolean compare(View view, int node, int slot, int logical) {
    int source = view.primary(logical);
    long sourceOffset = view.placement().offset(logical, view.primaryCopy(logical), 0);
    channels.begin();
    post(view, source, sourceOffset, 0);
    post(view, node, view.placement().slotOffset(slot, 0), count * WindowDigest.LENGTH);
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
    int compared = count;
    count = 0;
    for (int range = 0; range < compared; range++) {
      if (differs(range, compared)) {
        from[count] = from[range];
        lengths[count++] = lengths[range];
      }
    }
    return true;
  }

  private void post(View view, int node, long offset, int stagingOffset) {
    Channel channel = channels.to(view, node);
    if (channel == null) {
      return;
    }
    isPossible &= channel.canDigest();
    try {
      for (int range = 0; isPossible && range < count; range++) {
        channel.digest(
            PoolAddress.of(0, offset + from[range]),
            lengths[range],
            keyFirst,
            keySecond,
            stagingOffset + range * WindowDigest.LENGTH);
      }
    } catch (FabricException e) {
      channels.setFailed(node, e);
    }
  }

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

  private void learn(int length) {
    boolean isNearlyAll = differingBytes() > length - length / 4;
    blind = isNearlyAll ? Math.min(2 * blind + 1, BLIND_MAX) : 0;
    blindLeft = blind;
  }

  private boolean differs(int range, int compared) {
    MemorySegment digests = channels.staging();
    long at = (long) range * WindowDigest.LENGTH;
    long other = (long) (compared + range) * WindowDigest.LENGTH;
    return MemorySegment.mismatch(
            digests, at, at + WindowDigest.LENGTH, digests, other, other + WindowDigest.LENGTH)
        >= 0;
  }

  /** Returns the number of ranges that differ; they are in ascending order. */
  int count() {
    return count;
  }

  /** Returns the offset of a differing range. */
  long from(int range) {
    return from[range];
  }

  int length(int range) {
    return lengths[range];
  }

  long differingBytes() {
    long bytes = 0;
    for (int range = 0; range < count; range++) {
      bytes += lengths[range];
    }
    return bytes;
  }
}
