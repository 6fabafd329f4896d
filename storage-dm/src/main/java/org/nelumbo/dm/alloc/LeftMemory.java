package org.nelumbo.dm.alloc;

import java.lang.foreign.ValueLayout;
import java.util.function.ToLongFunction;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CircleCheck;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that compute nodes had free when they left a pool which others have open: it becomes that
 * of one of the others. Each entry of the table of compute nodes names what those have left that
 * had it, as a list whose newest piece comes first. Whoever takes the name out by CAS has all of
 * it; who dies then has lost it, as with all other memory. Nobody is ever given what somebody else
 * was given, too.
 */
public final class LeftMemory {
  private static final Logger LOG = LoggerFactory.getLogger(LeftMemory.class);
  private static final int STAGING_BYTES = 64 << 10;

  private LeftMemory() {}

  /**
   * Leaves to the others what is free here. All allocators are closed, nobody opens one any more,
   * and no log of this compute node is named anywhere. Nothing is left if there is no room to write
   * it down.
   *
   * @param clock reads the pool's clock: whoever has reached something of the memory began before
   */
  public static void leave(
      Fabric fabric, ChunkPool chunks, ComputeNodeEntry node, ToLongFunction<Channel> clock) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      WordChain chain = new WordChain(chunks, channel);
      long[] runs = chain.reserve(FreeSpaceMapLayout.LEFT_FIXED_WORDS);
      if (runs == null) {
        return;
      }
      long now = clock.applyAsLong(channel);
      long epoch = epoch(channel);
      long place = place(node.entry());
      long before = WordChain.word(channel, place);
      for (boolean isLeft = false; !isLeft; ) {
        chain.add(FreeSpaceMapLayout.LEFT_MAGIC);
        chain.add(epoch);
        chain.add(before);
        chain.add(now);
        chain.addRuns(runs);
        long found = exchange(channel, place, before, chain.write());
        isLeft = found == before;
        before = found;
      }
      chain.giveBack(); // nobody allocates here any more
    }
  }

  private static long epoch(Channel channel) {
    return WordChain.word(channel, PoolAddress.of(0, SuperblockLayout.EPOCH_OFFSET));
  }

  private static long place(int entry) {
    return SuperblockLayout.computeNode(entry) + SuperblockLayout.COMPUTE_NODE_LEFT_OFFSET;
  }

  /** What was there before. */
  private static long exchange(Channel channel, long place, long from, long to) {
    channel.compareAndSwap(place, from, to, 0);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  /** False if another compute node has. */
  private static boolean takeOut(Channel channel, int entry, long first) {
    return exchange(channel, place(entry), first, PoolAddress.NULL) == first;
  }

  /**
   * Takes what was left in an entry, for {@link ChunkPool#giveAdopted}, unless another compute node
   * was faster.
   *
   * @param first what the entry names
   */
  public static void adopt(Fabric fabric, ChunkPool chunks, int entry, long first) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      if (!takeOut(channel, entry, first)) {
        return;
      }
      long epoch = epoch(channel);
      CircleCheck circle = new CircleCheck();
      for (long piece = first; piece != PoolAddress.NULL && !circle.isCircle(piece); ) {
        long[] words = WordChain.read(fabric, channel, piece);
        long[] runs =
            words == null ? null : WordChain.runs(words, FreeSpaceMapLayout.LEFT_FIXED_WORDS);
        if (runs == null || words[0] != FreeSpaceMapLayout.LEFT_MAGIC || words[1] != epoch) {
          // Its pool was taken over since, and all that was free then has been found.
          LOG.debug("no memory is left at {}", PoolAddress.toString(piece));
          return;
        }
        chunks.adopt(runs, words[3]);
        piece = words[2];
      }
    }
  }
}
