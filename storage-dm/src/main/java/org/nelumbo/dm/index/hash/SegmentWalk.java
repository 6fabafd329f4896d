package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.nelumbo.dm.index.DamagedIndexException;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Visits every segment of an index, parents before children, reading the heads of a batch of
 * segments with one flush. A segment that splits during the walk is seen as it was before or after
 * the split. For one thread.
 */
final class SegmentWalk {
  private static final int BATCH = 64;

  private final LongList found = new LongList();

  private final LongList identities = new LongList();

  private final long[] heads = new long[BATCH * WORDS];
  private int batchStart;
  private int batchEnd;

  private static final int WORDS = HashSegmentLayout.LINES_OFFSET / Long.BYTES;

  SegmentWalk(long root) {
    found.add(root);
    identities.add(HashSegmentLayout.identity(0, 0));
  }

  /** Reads the heads of the next segments; returns false if there are none. */
  boolean nextBatch(Channel channel) {
    batchStart = batchEnd;
    int fitting = channel.stagingAvailable() / HashSegmentLayout.LINES_OFFSET;
    batchEnd = Math.min(found.size(), batchStart + Math.clamp(fitting, 1, BATCH));
    if (batchStart == batchEnd) {
      return false;
    }
    int mark = channel.mark();
    int offset = channel.reserve(batchSize() * HashSegmentLayout.LINES_OFFSET);
    for (int i = 0; i < batchSize(); i++) {
      channel.read(
          segment(i), offset + i * HashSegmentLayout.LINES_OFFSET, HashSegmentLayout.LINES_OFFSET);
    }
    channel.flush();
    for (int i = 0; i < batchSize() * WORDS; i++) {
      heads[i] = channel.staging().get(JAVA_LONG, offset + i * Long.BYTES);
    }
    channel.release(mark);
    for (int i = 0; i < batchSize(); i++) {
      addChildren(i);
    }
    return true;
  }

  private void addChildren(int i) {
    long identity = word(i, HashSegmentLayout.IDENTITY_OFFSET);
    if (identity != identities.get(batchStart + i) || depth(i) > HashSegmentLayout.MAX_DEPTH) {
      throw new DamagedIndexException(
          "not a hash segment address=" + PoolAddress.toString(segment(i)));
    }
    for (int bit = HashSegmentLayout.birthDepth(identity); bit < depth(i); bit++) {
      found.add(word(i, HashSegmentLayout.childOffset(bit)));
      identities.add(HashSegmentLayout.identity(suffix(i) | 1 << bit, bit + 1));
    }
  }

  /** Returns the number of known segments after the batch. */
  int left() {
    return found.size() - batchEnd;
  }

  long leftSegment(int i) {
    return found.get(batchEnd + i);
  }

  int leftSuffix(int i) {
    return HashSegmentLayout.suffix(identities.get(batchEnd + i));
  }

  /** Returns the depth that a segment had at its birth. */
  int leftDepth(int i) {
    return HashSegmentLayout.birthDepth(identities.get(batchEnd + i));
  }

  int batchSize() {
    return batchEnd - batchStart;
  }

  long segment(int i) {
    return found.get(batchStart + i);
  }

  int suffix(int i) {
    return HashSegmentLayout.suffix(word(i, HashSegmentLayout.IDENTITY_OFFSET));
  }

  long latch(int i) {
    return word(i, HashSegmentLayout.LATCH_OFFSET);
  }

  int depth(int i) {
    return HashSegmentLayout.latchDepth(latch(i));
  }

  /** Returns a word of the head of a segment of the batch, as it was read. */
  long word(int i, int offset) {
    return heads[i * WORDS + offset / Long.BYTES];
  }
}
