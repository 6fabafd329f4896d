package org.nelumbo.dm.index.hash;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.fabric.Channel;

/**
 * Goes through all entries of a hash index once: the segments of the directory as it was at the beginning. Every entry that is there from beginning to end is met exactly once:
 * a segment that is replaced meanwhile keeps its frozen content, which the caller's pinned epoch protects. Not thread-safe.
 */
public final class HashCursor {
  private static final int BUCKETS_PER_READ = 16;

  private final HashIndex index;
  private Directory directory;
  private int word;
  private int bucket;

  HashCursor(HashIndex index) {
    this.index = index;
  }

  /** Goes to the beginning. */
  public void open(Channel channel) {
    directory = index.refresh(channel);
    word = 0;
    bucket = 0;
  }

  /** Most addresses that {@link #next} gives at a time. */
  public static int maxBatch() {
    return BUCKETS_PER_READ * BucketLayout.SLOTS;
  }

  /** The next CVT addresses; how many, -1 at the end. */
  public int next(Channel channel, long[] out) {
    if (word >= directory.words().length) {
      return -1;
    }
    long current = directory.words()[word];
    int buckets = 1 << Directory.logBucketsOf(current);
    int mark = channel.mark();
    int offset = channel.reserve(BUCKETS_PER_READ * BucketLayout.LENGTH);
    channel.read(Directory.segmentOf(current) + (long) bucket * BucketLayout.LENGTH, offset, BUCKETS_PER_READ * BucketLayout.LENGTH);
    channel.flush();
    int count = 0;
    for (int i = 0; i < BUCKETS_PER_READ * BucketLayout.LENGTH; i += Long.BYTES) {
      long slot = channel.staging().get(ValueLayout.JAVA_LONG, offset + i);
      if (slot != 0 && i % BucketLayout.LENGTH != 0) {
        out[count++] = BucketLayout.cvt(slot);
      }
    }
    channel.release(mark);
    bucket += BUCKETS_PER_READ;
    if (bucket == buckets) {
      bucket = 0;
      word += 1 << (directory.depth() - Directory.depthOf(current));
    }
    return count;
  }
}
