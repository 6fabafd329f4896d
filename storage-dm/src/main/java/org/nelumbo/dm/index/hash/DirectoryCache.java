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
 * a segment turns out to be deeper. Thread-safe; the lock is never held across a flush.
 */
final class DirectoryCache {
  private static final int PATIENCE = 1000;

  /** More often than a segment can be split while it is looked at. */
  private static final int FREE_MAX = 2 * HashSegmentLayout.MAX_DEPTH;

  /** Segments by which the size of an index is known well enough. */
  private static final int SAMPLE = 64;

  private final long root;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Directory current;

  /** Segments by a sample, when the directory was begun; 0 if it was read as a whole. */
  private volatile long estimated;

  DirectoryCache(long root) {
    this.root = root;
  }

  Directory get(Channel channel) {
    Directory directory = current;
    return directory != null ? directory : load(channel);
  }

  /** Number of segments as far as this compute node knows; 0 before the first use. */
  long segments() {
    Directory directory = current;
    return directory == null ? 0 : Math.max(estimated, directory.segments());
  }

  /**
   * Builds the directory from the tree of segments, level by level, in as many round trips as the
   * tree is high (times a batch's limit).
   */
  private Directory load(Channel channel) {
    return load(channel, Integer.MAX_VALUE);
  }

  /**
   * Reads the top of the tree, if nothing was read before; lookups find what is below, and enter it
   * here. How many segments there are is an estimate then: of those that were read, each has a
   * share of the hashes that its depth tells.
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
   * Whether a window in the staging buffer is whole and as deep as {@code entry}, which led there,
   * says; if not, the directory is brought up to date as far as possible.
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
   * Brings the directory up to date if a window showed that its segment, thought to be of {@code
   * depth}, is deeper; a merely torn window teaches nothing.
   */
  void notice(Channel channel, long hash, int depth, long header) {
    long entry = current.lookup(hash);
    int deeper = HashSlotLayout.headerDepth(header);
    if (Directory.depth(entry) == depth && deeper > depth) {
      deepened(channel, hash, entry, deeper);
    }
  }

  /**
   * A step of the wait for a segment that keeps being torn; a long wait ends with {@link
   * SegmentLatchedException}.
   *
   * @throws DamagedIndexException if it is torn although nobody has been working on it
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

  /** The header in a window of a key. */
  static long header(Channel channel, int offset, long hash) {
    return channel
        .staging()
        .get(JAVA_LONG, offset + HashSegmentLayout.headerOffsetInWindow(KeyHash.home(hash)));
  }

  /**
   * Takes notice that the segment behind {@code entry}, which a lookup of {@code hash} led to, has
   * become {@code depth} deep: reads which segments split off it.
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
