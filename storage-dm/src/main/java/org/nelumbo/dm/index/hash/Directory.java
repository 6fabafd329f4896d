package org.nelumbo.dm.index.hash;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.alloc.SizeClass;
import org.nelumbo.dm.fabric.Channel;

/**
 * The directory as a compute node has read it: 2^depth words, one for each prefix of a hash. Immutable.
 *
 * <pre>
 *  word: | depth of the segment (8) | log2 of its buckets (8) | segment address (48) |
 *  root: | directory depth (16) | directory address (48) |
 * </pre>
 */
record Directory(long root, int depth, long address, long[] words) {
  static final int MAX_DEPTH = 15;
  private static final int DEPTH_SHIFT = 56;
  private static final int BUCKETS_SHIFT = 48;
  private static final long ADDRESS_MASK = (1L << 48) - 1;
  private static final int CHUNK = 4096;

  static long word(int depth, int logBuckets, long segment) {
    return ((long) depth << DEPTH_SHIFT) | ((long) logBuckets << BUCKETS_SHIFT) | segment;
  }

  static int depthOf(long word) {
    return (int) (word >>> DEPTH_SHIFT);
  }

  static int logBucketsOf(long word) {
    return (int) (word >>> BUCKETS_SHIFT) & 0xFF;
  }

  static long segmentOf(long word) {
    return word & ADDRESS_MASK;
  }

  static long rootWord(int depth, long address) {
    return ((long) depth << BUCKETS_SHIFT) | address;
  }

  static int bytes(int depth) {
    return Math.max(16, 8 << depth);
  }

  static int sizeClass(int depth) {
    return SizeClass.of(bytes(depth));
  }

  int index(long hash) {
    return (int) Hash.prefix(hash, depth);
  }

  /** The directory word of a hash. */
  long wordOf(long hash) {
    return words[index(hash)];
  }

  /** Address of a word in the pool. */
  long wordAddress(int index) {
    return address + 8L * index;
  }

  /** Reads the directory that the root block points to. */
  static Directory read(Channel channel, long rootBlock) {
    MemorySegment staging = channel.staging();
    int mark = channel.mark();
    int offset = channel.reserve(CHUNK);
    channel.read(rootBlock, offset, Long.BYTES);
    channel.flush();
    long root = staging.get(ValueLayout.JAVA_LONG, offset);
    int depth = (int) (root >>> BUCKETS_SHIFT);
    long[] words = new long[1 << depth];
    long address = root & ADDRESS_MASK;
    for (int from = 0; from < words.length; from += CHUNK / 8) {
      int count = Math.min(words.length - from, CHUNK / 8);
      channel.read(address + 8L * from, offset, count * 8);
      channel.flush();
      MemorySegment.copy(staging, ValueLayout.JAVA_LONG, offset, words, from, count);
    }
    channel.release(mark);
    return new Directory(root, depth, address, words);
  }

  /** Writes words to a directory in the pool. */
  static void write(Channel channel, long address, long[] words) {
    int mark = channel.mark();
    int offset = channel.reserve(CHUNK);
    for (int from = 0; from < words.length; from += CHUNK / 8) {
      int count = Math.min(words.length - from, CHUNK / 8);
      MemorySegment.copy(words, from, channel.staging(), ValueLayout.JAVA_LONG, offset, count);
      channel.write(address + 8L * from, offset, count * 8);
      channel.flush();
    }
    channel.release(mark);
  }
}
