package org.nelumbo.dm.index.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;

/**
 * The compute node's directory: for every value of a hash's lowest bits the segment that was
 * responsible for it when we last looked, with the depth it had then.
 *
 * <pre>
 *  63      48 47                       0
 * +----------+--------------------------+
 * |  depth   |  segment address         |
 * +----------+--------------------------+
 * </pre>
 *
 * A snapshot of fixed size, published through a volatile reference; its entries are single words
 * that readers fetch with acquire, so refining one costs no copy. Only {@link DirectoryCache}
 * writes, under its lock.
 */
final class Directory {
  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] entries;

  private Directory(long[] entries) {
    this.entries = entries;
  }

  static Directory ofRoot(long root) {
    return new Directory(new long[] {entry(root, 0)});
  }

  static long entry(long segment, int depth) {
    return segment | ((long) depth << HashSlotLayout.FINGERPRINT_SHIFT);
  }

  static long segment(long entry) {
    return HashSlotLayout.address(entry);
  }

  static int depth(long entry) {
    return (int) (entry >>> HashSlotLayout.FINGERPRINT_SHIFT);
  }

  /** Address of a home's window in the segment of an entry. */
  static long window(long entry, int home) {
    return segment(entry) + HashSegmentLayout.lineOffset(home);
  }

  long lookup(long hash) {
    long[] array = entries;
    return (long) ENTRY.getAcquire(array, (int) hash & (array.length - 1));
  }

  /** Number of low bits of a hash that this snapshot tells apart. */
  int depth() {
    return Integer.numberOfTrailingZeros(entries.length);
  }

  /** Number of segments it knows. */
  long segments() {
    long[] array = entries;
    double segments = 0;
    for (int i = 0; i < array.length; i++) {
      segments += (double) (1L << depth((long) ENTRY.getAcquire(array, i))) / array.length;
    }
    return Math.round(segments);
  }

  /** This snapshot, or one that is large enough for segments of that depth. */
  Directory atLeast(int depth) {
    Directory result = this;
    if (depth > depth()) {
      long[] larger = Arrays.copyOf(entries, 1 << depth);
      for (int filled = entries.length; filled < larger.length; filled *= 2) {
        System.arraycopy(larger, 0, larger, filled, filled);
      }
      result = new Directory(larger);
    }
    return result;
  }

  /**
   * Enters a segment for all hashes that end in {@code suffix}, except where we know a deeper one.
   */
  void refine(int suffix, int depth, long segment) {
    long refined = entry(segment, depth);
    for (int i = suffix; i < entries.length; i += 1 << depth) {
      if (depth(entries[i]) < depth) {
        ENTRY.setRelease(entries, i, refined);
      }
    }
  }
}
