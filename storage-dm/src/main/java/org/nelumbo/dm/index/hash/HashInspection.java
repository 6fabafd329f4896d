package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.util.HashSet;
import java.util.Set;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Operations that read whole segments: statistics, the check of the invariants, and dropping. For
 * one thread.
 */
final class HashInspection {
  private static final int SAMPLE = 64;

  /** Number of segments that suffices to estimate how full the segments are. */
  private static final int SMALL_SAMPLE = 8;

  private final long root;
  private final SegmentImage image = new SegmentImage();
  private final LongList slots = new LongList();
  private final LongList chains = new LongList();

  HashInspection(long root) {
    this.root = root;
  }

  void drop(Channel channel, PoolAllocator allocator, long timestamp) {
    SegmentWalk walk = new SegmentWalk(root);
    while (walk.nextBatch(channel)) {
      for (int i = 0; i < walk.batchSize(); i++) {
        read(channel, walk.segment(i));
        OverflowChain.retire(channel, allocator, chains, timestamp);
        allocator.retire(walk.segment(i), HashSegmentLayout.SIZE_CLASS, timestamp);
      }
    }
  }

  private void read(Channel channel, long segment) {
    slots.clear();
    chains.clear();
    image.load(channel, segment);
    image.collectSlots(slots);
    image.collectChains(chains);
  }

  HashStatistics statistics(Channel channel) {
    SegmentWalk walk = new SegmentWalk(root);
    long segments = 0;
    long entries = 0;
    long blocks = 0;
    double sampledShare = 0;
    int depth = 0;
    while (walk.nextBatch(channel)) {
      for (int i = 0; i < walk.batchSize(); i++) {
        depth = Math.max(depth, walk.depth(i));
        if (segments++ < SAMPLE) {
          sampledShare += 1.0 / (1L << walk.depth(i));
          read(channel, walk.segment(i));
          blocks += readChains(channel, walk.depth(i));
          entries += slots.size();
        }
      }
    }
    long estimate = Math.round(entries / sampledShare);
    long blockEstimate = Math.round(blocks / sampledShare);
    return new HashStatistics(
        estimate,
        (double) estimate / (segments * HashSegmentLayout.SLOTS),
        segments * HashSegmentLayout.LENGTH + blockEstimate * HashSegmentLayout.BLOCK_LENGTH,
        segments,
        blockEstimate,
        depth);
  }

  /**
   * Returns the average number of entries of a segment, from a few segments: keys are hashed, so
   * all are about equally full.
   */
  double entriesPerSegment(Channel channel) {
    SegmentWalk walk = new SegmentWalk(root);
    int segments = 0;
    double entries = 0;
    while (segments < SMALL_SAMPLE && walk.nextBatch(channel)) {
      for (int i = 0; i < walk.batchSize() && segments < SMALL_SAMPLE; i++) {
        read(channel, walk.segment(i));
        readChains(channel, walk.depth(i));
        entries += slots.size();
        segments++;
      }
    }
    return entries / segments;
  }

  private int readChains(Channel channel, int depth) {
    int[] blocks = new int[1];
    OverflowChain.walk(
        channel,
        chains,
        (block, offset) -> {
          blocks[0]++;
          return OverflowChain.collectSlots(channel, offset, depth, slots);
        });
    return blocks[0];
  }

  long verify(Channel channel) {
    SegmentWalk walk = new SegmentWalk(root);
    Set<Long> cvts = new HashSet<>();
    double share = 0;
    while (walk.nextBatch(channel)) {
      for (int i = 0; i < walk.batchSize(); i++) {
        share += 1.0 / (1L << walk.depth(i));
        verifyHead(walk, i);
        verifySegment(channel, walk.segment(i), walk.suffix(i), walk.depth(i), cvts);
      }
    }
    require(share == 1.0, root, "the segments do not cover all keys");
    return cvts.size();
  }

  private void verifyHead(SegmentWalk walk, int i) {
    long segment = walk.segment(i);
    require(
        HashSegmentLayout.latchState(walk.latch(i)) == HashSegmentLayout.STATE_FREE,
        segment,
        "latched");
    long born = walk.word(i, HashSegmentLayout.SPLIT_INTENT_OFFSET);
    require(
        born == 0 || born == walk.word(i, HashSegmentLayout.childOffset(walk.depth(i) - 1)),
        segment,
        "split not finished");
    int birth = HashSegmentLayout.birthDepth(walk.word(i, HashSegmentLayout.IDENTITY_OFFSET));
    require(walk.suffix(i) >>> birth == 0, segment, "suffix longer than the depth at birth");
    for (int bit = 0; bit < HashSegmentLayout.MAX_DEPTH; bit++) {
      boolean child = walk.word(i, HashSegmentLayout.childOffset(bit)) != 0;
      require(
          child == (bit >= birth && bit < walk.depth(i)),
          segment,
          "children do not match the depth");
    }
  }

  private void verifySegment(Channel channel, long segment, int suffix, int depth, Set<Long> cvts) {
    read(channel, segment);
    require(image.isWhole(depth), segment, "lines of different depths");
    for (int home = 0; home < HashSegmentLayout.LINES; home++) {
      slots.clear();
      image.collectSlots(home, slots);
      for (int s = 0; s < slots.size(); s++) {
        long hash = verifyEntry(channel, segment, slots.get(s), suffix, depth, cvts);
        int distance = home - KeyHash.home(hash);
        require(distance == 0 || distance == 1, segment, "an entry is outside of its window");
      }
    }
    for (int line = 0; line < HashSegmentLayout.LINES; line += 2) {
      slots.clear();
      long chain = HashSlotLayout.address(image.header(line));
      require(
          OverflowChain.collectSlots(channel, LongList.of(chain), depth, slots),
          segment,
          "an overflow block of another depth");
      for (int s = 0; s < slots.size(); s++) {
        long hash = verifyEntry(channel, segment, slots.get(s), suffix, depth, cvts);
        require(
            HashSegmentLayout.headerLine(KeyHash.home(hash)) == line,
            segment,
            "an entry is in a chain of another window");
      }
    }
  }

  private long verifyEntry(
      Channel channel, long segment, long slot, int suffix, int depth, Set<Long> cvts) {
    long cvt = HashSlotLayout.address(slot);
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(cvt + CvtLayout.LOTUS_KEY_OFFSET, offset, Long.BYTES);
    channel.flush();
    long hash = KeyHash.mix(channel.staging().get(JAVA_LONG, offset));
    channel.release(mark);
    require(KeyHash.suffix(hash, depth) == suffix, segment, "an entry belongs to another segment");
    require(
        KeyHash.fingerprint(hash) == HashSlotLayout.fingerprint(slot),
        segment,
        "an entry points to the CVT of another key");
    require(cvts.add(cvt), segment, "a CVT has two entries");
    return hash;
  }

  private static void require(boolean holds, long segment, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(
          "hash index broken: " + otherwise + " segment=" + PoolAddress.toString(segment));
    }
  }
}
