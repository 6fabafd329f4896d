package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.util.Arrays;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Scans a whole index that is not in use: reports its memory and removes entries that are not
 * wanted. It also removes an entry whose CVT has a key that does not belong at this location: the
 * entry's owner failed before the CVT was written. Used once, by one thread.
 */
final class IndexSweeper {
  private final HashSweepVisitor sweep;
  private final SegmentImage image = new SegmentImage();
  private long[] cvts = new long[1024];
  private long[] slots = new long[1024];
  private long[] places = new long[1024];
  private int[] lines = new int[1024];
  private long[] lotusKeys = new long[1024];
  private int count;
  private int removed;

  IndexSweeper(HashSweepVisitor sweep) {
    this.sweep = sweep;
  }

  /** Scans the index; returns the number of entries removed. */
  int run(Channel channel, long root) {
    SegmentWalk walk = new SegmentWalk(root);
    while (walk.nextBatch(channel)) {
      for (int i = 0; i < walk.batchSize(); i++) {
        sweep(channel, walk.segment(i), walk.suffix(i), walk.depth(i));
      }
    }
    return removed;
  }

  private void sweep(Channel channel, long segment, int suffix, int depth) {
    sweep.memory(segment, HashSegmentLayout.SIZE_CLASS);
    count = 0;
    image.load(channel, segment);
    for (int line = 0; line < HashSegmentLayout.LINES; line++) {
      int from = HashSegmentLayout.lineOffset(line);
      for (int at = from + ((line & 1) == 0 ? Long.BYTES : 0);
          at < from + HashSegmentLayout.LINE_LENGTH;
          at += Long.BYTES) {
        add(image.head(at), segment + at, line);
      }
    }
    for (int line = 0; line < HashSegmentLayout.LINES; line += 2) {
      addChain(channel, HashSlotLayout.address(image.header(line)), line);
    }
    sweep.judge(cvts, count, lotusKeys);
    boolean some = false;
    for (int i = 0; i < count; i++) {
      if (lotusKeys[i] == 0 || !belongs(i, suffix, depth)) {
        channel.writeLong(places[i], HashSlotLayout.free(depth));
        removed++;
        some = true;
      }
    }
    if (some) {
      channel.flush();
    }
  }

  private boolean belongs(int i, int suffix, int depth) {
    long hash = KeyHash.mix(lotusKeys[i]);
    int home = KeyHash.home(hash);
    if (KeyHash.fingerprint(hash) != HashSlotLayout.fingerprint(slots[i])) {
      throw new IllegalStateException(
          "an entry points to the CVT of another key cvt=" + PoolAddress.toString(cvts[i]));
    }
    boolean inLine =
        lines[i] >= 0
            ? lines[i] == home || lines[i] == home + 1
            : HashSegmentLayout.headerLine(home) == -lines[i] - 1;
    return inLine && KeyHash.suffix(hash, depth) == suffix;
  }

  private void addChain(Channel channel, long head, int line) {
    int mark = channel.mark();
    int offset = channel.reserve(HashSegmentLayout.BLOCK_LENGTH);
    for (long block = head; block != PoolAddress.NULL; ) {
      sweep.memory(block, HashSegmentLayout.BLOCK_SIZE_CLASS);
      long next = OverflowChain.readBlock(channel, block, offset);
      for (int i = 1; i < HashSegmentLayout.WINDOW_WORDS; i++) {
        long at = (long) i * Long.BYTES;
        add(channel.staging().get(JAVA_LONG, offset + at), block + at, -line - 1);
      }
      block = next;
    }
    channel.release(mark);
  }

  /**
   * Adds a slot.
   *
   * @param line line of the slot; for a slot in a chain -1 minus the line of the chain's header
   */
  private void add(long slot, long place, int line) {
    if (HashSlotLayout.isFree(slot)) {
      return;
    }
    if (count == slots.length) {
      int length = count * 2;
      cvts = Arrays.copyOf(cvts, length);
      places = Arrays.copyOf(places, length);
      lines = Arrays.copyOf(lines, length);
      lotusKeys = Arrays.copyOf(lotusKeys, length);
      slots = Arrays.copyOf(slots, length);
    }
    cvts[count] = HashSlotLayout.address(slot);
    slots[count] = slot;
    places[count] = place;
    lines[count] = line;
    count++;
  }
}
