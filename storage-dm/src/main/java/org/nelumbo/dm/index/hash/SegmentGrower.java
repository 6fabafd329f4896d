package org.nelumbo.dm.index.hash;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.SizeClass;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;

/**
 * Replaces a segment that has a full bucket: by one with twice the buckets while it is small, by two halves of its key range when it has reached its largest size. The steps:
 *
 * <ol>
 *   <li>take the index's latch (one grower at a time) and all the memory that is needed
 *   <li>freeze the buckets of the old segment, one by one
 *   <li>copy their entries to the new segments; an entry's LOTUS key is the first word of its CVT
 *   <li>write the directory: the words of the segment in place, or a new directory of twice the size
 *   <li>release the latch; retire what was replaced
 * </ol>
 *
 * Stopped after any step, repeating them from the second on leads to the same result, since a frozen segment does not change; before step 4 nobody has seen the new segments.
 */
final class SegmentGrower {
  static final int LATCH_OFFSET = 8;
  private static final int LARGEST_LOG_BUCKETS = 10;
  private static final int BATCH = 256;

  private final Channel channel;
  private final MemorySegment staging;
  private final long old;
  private final int logBuckets;
  private long[] entries = new long[BATCH];
  private long[] hashes = new long[BATCH];
  private int count;

  private SegmentGrower(Channel channel, long word) {
    this.channel = channel;
    this.staging = channel.staging();
    this.old = Directory.segmentOf(word);
    this.logBuckets = Directory.logBucketsOf(word);
  }

  static int sizeClass(int logBuckets) {
    return SizeClass.of(BucketLayout.LENGTH << logBuckets);
  }

  /** Makes room for a hash whose bucket was full; false, with nothing changed, if the pool is exhausted. */
  static boolean grow(HashIndex index, Environment environment, Channel channel, PoolAllocator allocator, long hash) {
    Directory seen = index.directory(channel);
    long word = seen.wordOf(hash);
    long latch = index.rootBlock() + LATCH_OFFSET;
    latch(environment, channel, latch);
    boolean done = true;
    Directory current = index.refresh(channel);
    if (current.wordOf(hash) == word) {
      done = replace(index, channel, allocator, current, hash);
    }
    channel.writeLong(latch, 0L);
    channel.flush();
    return done;
  }

  private static void latch(Environment environment, Channel channel, long latch) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    for (int attempt = 0; ; attempt++) {
      channel.compareAndSwap(latch, 0L, 1L, offset);
      channel.flush();
      if (channel.staging().get(ValueLayout.JAVA_LONG, offset) == 0) {
        channel.release(mark);
        return;
      }
      environment.backoff(attempt);
    }
  }

  /** The new segments in memory, before they are written: as many buckets larger as the entries need. */
  private static boolean replace(HashIndex index, Channel channel, PoolAllocator allocator, Directory directory, long hash) {
    long word = directory.wordOf(hash);
    int depth = Directory.depthOf(word);
    int log = Directory.logBucketsOf(word);
    boolean split = log >= LARGEST_LOG_BUCKETS;
    boolean twice = split && depth == directory.depth();
    if (twice && depth == Directory.MAX_DEPTH) {
      return false;
    }
    int newLog = split ? log : log + 1;
    long first = allocator.allocate(sizeClass(newLog));
    long second = split ? allocator.allocate(sizeClass(newLog)) : PoolAddress.NULL;
    long words = twice ? allocator.allocate(Directory.sizeClass(depth + 1)) : PoolAddress.NULL;
    if (first == PoolAddress.NULL || (split && second == PoolAddress.NULL) || (twice && words == PoolAddress.NULL)) {
      free(allocator, first, sizeClass(newLog));
      free(allocator, second, sizeClass(newLog));
      free(allocator, words, twice ? Directory.sizeClass(depth + 1) : 0);
      return false;
    }
    SegmentGrower grower = new SegmentGrower(channel, word);
    grower.freeze();
    grower.readHashes();
    long prefix = Hash.prefix(hash, depth);
    if (split) {
      grower.write(first, newLog, depth + 1, prefix << 1);
      grower.write(second, newLog, depth + 1, (prefix << 1) | 1);
    } else {
      grower.write(first, newLog, depth, prefix);
    }
    publish(index, channel, allocator, directory, hash, first, second, words, newLog);
    return true;
  }

  private static void free(PoolAllocator allocator, long address, int sizeClass) {
    if (address != PoolAddress.NULL) {
      allocator.free(address, sizeClass);
    }
  }

  /** Freezes the buckets and collects their entries. */
  private void freeze() {
    int mark = channel.mark();
    int offset = channel.reserve(BucketLayout.LENGTH);
    int cas = channel.reserve(Long.BYTES);
    for (int bucket = 0; bucket < 1 << logBuckets; bucket++) {
      long address = old + (long) bucket * BucketLayout.LENGTH;
      channel.read(address, cas, Long.BYTES);
      channel.flush();
      long header = staging.get(ValueLayout.JAVA_LONG, cas);
      channel.compareAndSwap(address, header & ~BucketLayout.FROZEN, header | BucketLayout.FROZEN, cas);
      channel.read(address, offset, BucketLayout.LENGTH);
      channel.flush();
      for (int i = 0; i < BucketLayout.SLOTS; i++) {
        long slot = staging.get(ValueLayout.JAVA_LONG, offset + BucketLayout.SLOTS_OFFSET + 8L * i);
        if (slot != 0) {
          add(BucketLayout.cvt(slot));
        }
      }
    }
    channel.release(mark);
  }

  private void add(long cvt) {
    if (count == entries.length) {
      entries = Arrays.copyOf(entries, count * 2);
      hashes = new long[count * 2];
    }
    entries[count++] = cvt;
  }

  private void readHashes() {
    int mark = channel.mark();
    int offset = channel.reserve(BATCH * Long.BYTES);
    for (int from = 0; from < count; from += BATCH) {
      int to = Math.min(count, from + BATCH);
      for (int i = from; i < to; i++) {
        channel.read(entries[i], offset + (i - from) * Long.BYTES, Long.BYTES);
      }
      channel.flush();
      for (int i = from; i < to; i++) {
        hashes[i] = Hash.of(staging.get(ValueLayout.JAVA_LONG, offset + (long) (i - from) * Long.BYTES));
      }
    }
    channel.release(mark);
  }

  /** Writes a new segment with those entries whose hash begins with the prefix. */
  private void write(long segment, int newLog, int depth, long prefix) {
    int perBucket = BucketLayout.LENGTH / Long.BYTES;
    long[] words = new long[perBucket << newLog];
    for (int bucket = 0; bucket < 1 << newLog; bucket++) {
      words[bucket * perBucket] = BucketLayout.header(depth, prefix);
    }
    for (int i = 0; i < count; i++) {
      if (Hash.prefix(hashes[i], depth) == prefix) {
        int at = Hash.bucket(hashes[i], newLog) * perBucket + 1;
        while (words[at] != 0) {
          at++;
        }
        words[at] = BucketLayout.slot(hashes[i], entries[i]);
      }
    }
    Directory.write(channel, segment, words);
  }

  static void writeEmpty(Channel channel, long segment, int log, long header) {
    int perBucket = BucketLayout.LENGTH / Long.BYTES;
    long[] words = new long[perBucket << log];
    for (int bucket = 0; bucket < 1 << log; bucket++) {
      words[bucket * perBucket] = header;
    }
    Directory.write(channel, segment, words);
  }

  /** Makes the directory lead to the new segments; the cached one too, before anything is retired. */
  private static void publish(
      HashIndex index,
      Channel channel,
      PoolAllocator allocator,
      Directory directory,
      long hash,
      long first,
      long second,
      long words,
      int newLog) {
    long word = directory.wordOf(hash);
    int depth = Directory.depthOf(word);
    boolean split = second != PoolAddress.NULL;
    Directory base = words == PoolAddress.NULL ? directory : doubled(directory, words);
    long[] changed = base.words().clone();
    int newDepth = split ? depth + 1 : depth;
    int span = 1 << (base.depth() - depth);
    int from = (int) (Hash.prefix(hash, depth) << (base.depth() - depth));
    for (int i = from; i < from + span; i++) {
      boolean upper = split && i >= from + span / 2;
      changed[i] = Directory.word(newDepth, newLog, upper ? second : first);
    }
    if (words == PoolAddress.NULL) {
      for (int i = from; i < from + span; i++) {
        channel.writeLong(base.wordAddress(i), changed[i]);
      }
      channel.flush();
    } else {
      Directory.write(channel, words, changed);
      channel.writeLong(index.rootBlock(), Directory.rootWord(base.depth(), words));
      channel.flush();
    }
    index.refresh(channel);
    index.retire(allocator, Directory.segmentOf(word), sizeClass(Directory.logBucketsOf(word)));
    if (words != PoolAddress.NULL) {
      index.retire(allocator, directory.address(), Directory.sizeClass(directory.depth()));
    }
  }

  private static Directory doubled(Directory directory, long address) {
    long[] words = new long[directory.words().length * 2];
    for (int i = 0; i < words.length; i++) {
      words[i] = directory.words()[i / 2];
    }
    return new Directory(0, directory.depth() + 1, address, words);
  }
}
