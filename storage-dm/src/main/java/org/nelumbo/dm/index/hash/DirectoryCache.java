package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.index.DamagedIndexException;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Keeps the compute node's {@link Directory} up to date: loads it on first use and refines it when
 * a segment is found to be deeper. Thread-safe; the lock is never held across a flush.
 */
final class DirectoryCache {
  private static final int PATIENCE = 1000;

  /** Number of waits for the latch; larger than the number of times that a segment can be split. */
  private static final int FREE_MAX = 2 * HashSegmentLayout.MAX_DEPTH;

  /** Number of segments that suffice to estimate the size of an index. */
  private static final int SAMPLE = 64;

  private final long root;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Directory current;

  /**
   * Number of segments estimated from a sample when the directory was begun; 0 if it was read
   * completely.
   */
  private volatile long estimated;

  DirectoryCache(long root) {
    this.root = root;
  }

  Directory get(Channel channel) {
    Directory directory = current;
    return directory != null ? directory : load(channel);
  }

  /** Returns the number of segments as far as this compute node knows; 0 before the first use. */
  long segments() {
    Directory directory = current;
    return directory == null ? 0 : Math.max(estimated, directory.segments());
  }

  /**
   * Builds the directory from the tree of segments, level by level, in one round trip per level
   * (more if a level exceeds a batch).
   */
  private Directory load(Channel channel) {
    return load(channel, Integer.MAX_VALUE);
  }

  /**
   * Reads the top of the tree if nothing was read before; lookups add the lower levels on demand.
   * The number of segments is then an estimate: each segment that was read covers the share of all
   * hashes that follows from its depth.
   */
  void begin(Channel channel) {
    if (current == null) {
      load(channel, SAMPLE);
    }
  }

  private Directory load(Channel channel, int enough) {
    SegmentWalk walk = new SegmentWalk(root);
    Directory loaded = Directory.ofRoot(root);
    int read = 0;
    double share = 0;
    while (read < enough && walk.nextBatch(channel)) {
      for (int i = 0; i < walk.batchSize(); i++) {
        loaded = loaded.atLeast(walk.depth(i));
        loaded.refine(walk.suffix(i), walk.depth(i), walk.segment(i));
        share += Math.scalb(1.0, -walk.depth(i));
      }
      read += walk.batchSize();
    }
    for (int i = 0; i < walk.left(); i++) {
      loaded.refine(walk.leftSuffix(i), walk.leftDepth(i), walk.leftSegment(i));
    }
    lock.lock();
    try {
      if (current == null) {
        estimated = walk.left() == 0 ? 0 : Math.round(read / share);
        current = loaded;
      }
      return current;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns true if a window in the staging buffer is untorn and has the depth of {@code entry},
   * the directory entry that was used. Otherwise brings the directory up to date as far as
   * possible.
   */
  boolean isCurrent(Channel channel, long hash, long entry, int offset) {
    int depth = Directory.depth(entry);
    long header = header(channel, offset, hash);
    boolean current =
        WindowScan.isWhole(channel.staging(), offset, depth)
            && HashSlotLayout.headerDepth(header) == depth;
    if (!current) {
      notice(channel, hash, depth, header);
    }
    return current;
  }

  /**
   * Brings the directory up to date if the header of a window shows that its segment, believed to
   * be of {@code depth}, is deeper. A torn window without that has no effect.
   */
  void notice(Channel channel, long hash, int depth, long header) {
    long entry = current.lookup(hash);
    int deeper = HashSlotLayout.headerDepth(header);
    if (Directory.depth(entry) == depth && deeper > depth) {
      deepened(channel, hash, entry, deeper);
    }
  }

  /**
   * Waits one step for a segment whose reads are torn; a long wait ends with {@link
   * SegmentLatchedException}.
   *
   * @throws DamagedIndexException if reads are torn although the segment is not latched
   */
  void pause(Environment environment, Channel channel, long hash, int attempt) {
    if (attempt < PATIENCE) {
      environment.backoff(attempt);
    } else if (attempt < PATIENCE + FREE_MAX) {
      SegmentLatch.await(environment, channel, Directory.segment(current.lookup(hash)));
    } else {
      throw damaged(current.lookup(hash));
    }
  }

  private static DamagedIndexException damaged(long entry) {
    return new DamagedIndexException(
        "not a hash segment of depth "
            + Directory.depth(entry)
            + " address="
            + PoolAddress.toString(Directory.segment(entry)));
  }

  static long header(Channel channel, int offset, long hash) {
    return channel
        .staging()
        .get(JAVA_LONG, offset + HashSegmentLayout.headerOffsetInWindow(KeyHash.home(hash)));
  }

  /**
   * Refines the directory after the segment of {@code entry}, which was looked up for {@code hash},
   * has become {@code depth} deep: reads the segments that split off it.
   *
   * @throws DamagedIndexException if no segment can be that deep
   */
  void deepened(Channel channel, long hash, long entry, int depth) {
    int known = Directory.depth(entry);
    if (depth > HashSegmentLayout.MAX_DEPTH) {
      throw damaged(entry);
    }
    int mark = channel.mark();
    int length = (depth - known) * Long.BYTES;
    int offset = channel.reserve(length);
    channel.read(Directory.segment(entry) + HashSegmentLayout.childOffset(known), offset, length);
    channel.flush();
    int suffix = KeyHash.suffix(hash, known);
    lock.lock();
    try {
      Directory directory = current.atLeast(depth);
      for (int bit = known; bit < depth; bit++) {
        long child = channel.staging().get(JAVA_LONG, offset + (bit - known) * Long.BYTES);
        directory.refine(suffix | (1 << bit), bit + 1, child);
      }
      directory.refine(suffix, depth, Directory.segment(entry));
      current = directory;
    } finally {
      lock.unlock();
    }
    channel.release(mark);
  }
}
