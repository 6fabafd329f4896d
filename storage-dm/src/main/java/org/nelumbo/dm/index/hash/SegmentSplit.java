package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Splits a latched segment in place, in the steps of the package description. {@link #finish} is
 * both the second half of a split and the whole of its repair, so every split tests the repair.
 * Reusable, for one thread at a time.
 */
final class SegmentSplit {
  private final LongList slots = new LongList();
  private final LongList hashes = new LongList();
  private final LongList chains = new LongList();
  private final SplitHalf stay = new SplitHalf();
  private final SplitHalf move = new SplitHalf();
  private final SegmentImage copy = new SegmentImage();

  /**
   * Executes step 2, for a segment whose latch the caller holds and whose image it has read since.
   *
   * @throws IllegalStateException if the segment is corrupt; nothing has changed
   */
  void read(Channel channel, long segment, SegmentImage image, int depth) {
    gather(channel, image, depth);
    readHashes(channel);
    distribute(segment, depth);
  }

  /**
   * Executes steps 3 to 7.
   *
   * @return false if the pool is exhausted: nothing has changed, and the latch is still held
   */
  boolean write(
      Channel channel,
      PoolAllocator allocator,
      long segment,
      SegmentImage image,
      int depth,
      ToLongFunction<Channel> clock) {
    boolean allocated =
        move.allocate(allocator)
            && stay.allocate(allocator)
            && move.writeSpilled(channel, allocator)
            && stay.writeSpilled(channel, allocator);
    if (!allocated) {
      move.free(allocator);
      stay.free(allocator);
      return false;
    }
    long latch = image.head(HashSegmentLayout.LATCH_OFFSET);
    assert HashSegmentLayout.latchState(latch) == HashSegmentLayout.STATE_LATCHED
            && HashSegmentLayout.latchDepth(latch) == depth
        : "not latched segment=" + PoolAddress.toString(segment);
    int owner = HashSegmentLayout.latchOwner(latch);
    int suffix = HashSegmentLayout.suffix(image.head(HashSegmentLayout.IDENTITY_OFFSET));
    writeImages(channel, suffix, depth, owner);
    channel.writeLong(segment + HashSegmentLayout.SPLIT_INTENT_OFFSET, move.address());
    channel.flush();
    finish(channel, allocator, segment, latch, move.address(), depth, clock);
    long retireTimestamp = clock.applyAsLong(channel);
    LongList others = new LongList();
    for (int i = HashSegmentLayout.COPY_CHAINS; i < chains.size(); i++) {
      others.add(chains.get(i));
    }
    OverflowChain.retire(channel, allocator, others, retireTimestamp);
    return true;
  }

  private void gather(Channel channel, SegmentImage image, int depth) {
    slots.clear();
    chains.clear();
    image.collectSlots(slots);
    image.collectChains(chains);
    if (!image.isWhole(depth) || !OverflowChain.collectSlots(channel, chains, depth, slots)) {
      throw new IllegalStateException(
          "a latched hash segment has lines of another depth depth=" + depth);
    }
  }

  private void readHashes(Channel channel) {
    hashes.clear();
    int mark = channel.mark();
    int batch = Math.clamp(channel.stagingAvailable() / Long.BYTES, 1, Math.max(1, slots.size()));
    int offset = channel.reserve(batch * Long.BYTES);
    for (int from = 0; from < slots.size(); from += batch) {
      int count = Math.min(batch, slots.size() - from);
      for (int i = 0; i < count; i++) {
        channel.prefetch(keyOf(slots.get(from + i)), Long.BYTES);
      }
      for (int i = 0; i < count; i++) {
        channel.read(keyOf(slots.get(from + i)), offset + i * Long.BYTES, Long.BYTES);
      }
      channel.flush();
      for (int i = 0; i < count; i++) {
        hashes.add(KeyHash.mix(channel.staging().get(JAVA_LONG, offset + i * Long.BYTES)));
      }
    }
    channel.release(mark);
  }

  private static long keyOf(long slot) {
    return HashSlotLayout.address(slot) + CvtLayout.LOTUS_KEY_OFFSET;
  }

  private void distribute(long segment, int depth) {
    stay.clear(depth + 1);
    move.clear(depth + 1);
    for (int i = 0; i < slots.size(); i++) {
      long hash = hashes.get(i);
      if (KeyHash.fingerprint(hash) != HashSlotLayout.fingerprint(slots.get(i))) {
        throw new IllegalStateException(
            "an entry points to the CVT of another key segment="
                + PoolAddress.toString(segment)
                + " cvt="
                + PoolAddress.toString(HashSlotLayout.address(slots.get(i))));
      }
      ((hash >>> depth & 1) == 0 ? stay : move).add(hash, slots.get(i));
    }
  }

  private void writeImages(Channel channel, int suffix, int depth, int owner) {
    SegmentImage born = move.image;
    born.setHead(
        HashSegmentLayout.LATCH_OFFSET,
        HashSegmentLayout.latch(owner, HashSegmentLayout.STATE_BORN, depth + 1));
    born.setHead(
        HashSegmentLayout.IDENTITY_OFFSET,
        HashSegmentLayout.identity(suffix | (1 << depth), depth + 1));
    born.setHead(HashSegmentLayout.COPY_OFFSET, stay.address());
    for (int i = 0; i < Math.min(chains.size(), HashSegmentLayout.COPY_CHAINS); i++) {
      stay.image.setHead(HashSegmentLayout.COPY_CHAINS_OFFSET + i * Long.BYTES, chains.get(i));
    }
    born.store(channel, move.address());
    stay.image.store(channel, stay.address());
    channel.flush();
  }

  /**
   * Executes steps 5 to 7, based on the state in the pool; may be interrupted anywhere and
   * repeated. The caller holds the segment's latch.
   *
   * @param held the segment's latch
   * @param born the segment's split intent
   * @param depth the segment's depth, as in its latch
   * @return false if the intent is that of an earlier, finished split: there is nothing to do, and
   *     the latch is still held
   */
  boolean finish(
      Channel channel,
      PoolAllocator allocator,
      long segment,
      long held,
      long born,
      int depth,
      ToLongFunction<Channel> clock) {
    int mark = channel.mark();
    int offset = channel.reserve(HashSegmentLayout.CHILDREN_OFFSET);
    channel.read(born, offset, HashSegmentLayout.CHILDREN_OFFSET);
    channel.flush();
    long bornLatch = channel.staging().get(JAVA_LONG, offset + HashSegmentLayout.LATCH_OFFSET);
    long identity = channel.staging().get(JAVA_LONG, offset + HashSegmentLayout.IDENTITY_OFFSET);
    long copyAddress = channel.staging().get(JAVA_LONG, offset + HashSegmentLayout.COPY_OFFSET);
    channel.release(mark);
    if (HashSegmentLayout.birthDepth(identity) != depth + 1) {
      return false;
    }
    copy.load(channel, copyAddress);
    channel.writeLong(segment + HashSegmentLayout.childOffset(depth), born);
    copy.storeLines(channel, segment);
    channel.flush();
    if (HashSegmentLayout.latchState(bornLatch) == HashSegmentLayout.STATE_BORN) {
      // Fails if the new segment was already unlatched and may have changed since; that is correct.
      SegmentLatch.replace(channel, born, bornLatch, HashSegmentLayout.freeLatch(depth + 1));
    }
    SegmentLatch.release(channel, segment, held, depth + 1);
    // Drawn when no reference to the old blocks remains: transactions that pin a horizon later do
    // not find them.
    long retireTimestamp = clock.applyAsLong(channel);
    LongList replaced = new LongList();
    for (int i = 0; i < HashSegmentLayout.COPY_CHAINS; i++) {
      replaced.add(copy.head(HashSegmentLayout.COPY_CHAINS_OFFSET + i * Long.BYTES));
    }
    OverflowChain.retire(channel, allocator, replaced, retireTimestamp);
    allocator.free(copyAddress, HashSegmentLayout.SIZE_CLASS);
    return true;
  }
}
