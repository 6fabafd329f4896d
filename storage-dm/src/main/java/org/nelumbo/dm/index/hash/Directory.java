package org.nelumbo.dm.index.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;

/**
 * The directory of a hash index on this compute node. For every value of a hash's lowest bits it
 * has the segment that was responsible for it when it was last read, with the depth of the segment
 * at that time.
 *
 * <pre>
 *  63      48 47                       0
 * +----------+--------------------------+
 * |  depth   |  segment address         |
 * +----------+--------------------------+
 * </pre>
 *
 * A snapshot of fixed size, published through a volatile reference. Its entries are single words
 * that readers load with acquire semantics, so refining one needs no copy. Only {@link
 * DirectoryCache} writes, under its lock.
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

  /** Returns the address of a home's window in the segment of an entry. */
  static long window(long entry, int home) {
    return segment(entry) + HashSegmentLayout.lineOffset(home);
  }

  long lookup(long hash) {
    long[] array = entries;
    return (long) ENTRY.getAcquire(array, (int) hash & (array.length - 1));
  }

  /** Returns the number of low bits of a hash that this snapshot distinguishes. */
  int depth() {
    return Integer.numberOfTrailingZeros(entries.length);
  }

  /** Returns the number of segments in this snapshot. */
  long segments() {
    long[] array = entries;
    double segments = 0;
    for (int i = 0; i < array.length; i++) {
      segments += (double) (1L << depth((long) ENTRY.getAcquire(array, i))) / array.length;
    }
    return Math.round(segments);
  }

  /** Returns this snapshot if it is large enough for segments of a depth, or a larger copy. */
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

  /** Sets a segment for all hashes that end in {@code suffix}, except those with a deeper entry. */
  void refine(int suffix, int depth, long segment) {
    long refined = entry(segment, depth);
    for (int i = suffix; i < entries.length; i += 1 << depth) {
      if (depth(entries[i]) < depth) {
        ENTRY.setRelease(entries, i, refined);
      }
    }
  }
}
