package org.nelumbo.dm.alloc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Donated free memory of a shared pool, which no compute node owns. A compute node donates its
 * surplus, which would be lost if it failed; and all its free memory when it leaves the pool
 * cleanly. Any compute node that needs memory adopts it.
 *
 * <p>Donated memory is listed in pieces. Each piece lists some runs of free memory, in a block that
 * is one of these runs. Each entry of the table of compute nodes points to the top of a stack of
 * pieces. The pointer has a tag, which rises with each change. A compute node that reads the top
 * piece and then removes it by CAS can therefore rely on the words that it read (no ABA problem). A
 * compute node that fails after it has removed a piece loses this piece, and nothing else. No
 * memory is ever given to two compute nodes.
 */
public final class DonatedMemory {
  private static final Logger LOG = LoggerFactory.getLogger(DonatedMemory.class);

  /** Bytes of staging buffer that each method needs. */
  public static final int STAGING_BYTES = FreeSpaceMapLayout.PIECE_BYTES + 4 * Long.BYTES;

  /** Bytes of memory listed in a piece; more if that is a small part of the surplus. */
  private static final long PIECE_MEMORY = 64 << 10;

  private static final long PIECE_MEMORY_MAX = 1 << 20;
  private static final int PIECES = 64;

  /** Additional runs that may arise while a block for a piece is allocated. */
  private static final int MORE_RUNS = 16;

  private static final int BLOCK_BYTES_MIN = 128;

  /** Result of {@link #take} if another compute node was faster; never the pointer of an entry. */
  public static final long TAKEN_BY_ANOTHER = -1;

  private static final int TAG_BITS = Long.SIZE - PoolAddress.BITS;

  private final Channel channel;
  private final MemorySegment staging;
  private final long headAddress;

  private long block;

  private int blockClass;

  private DonatedMemory(Channel channel, int entry) {
    this.channel = channel;
    this.staging = channel.staging();
    this.headAddress =
        SuperblockLayout.computeNode(entry) + SuperblockLayout.COMPUTE_NODE_DONATED_OFFSET;
  }

  /** Returns the first piece of the pointer in an entry; NULL if there is none. */
  public static long firstPiece(long named) {
    return named & PoolAddress.MASK;
  }

  private static long named(long piece, long before) {
    long tag = (before >>> PoolAddress.BITS) + 1 & (1L << TAG_BITS) - 1;
    return tag << PoolAddress.BITS | piece;
  }

  /**
   * Donates all free memory. All allocators are closed, none is opened any more, and no reference
   * to a log of this compute node remains. Memory that cannot be listed for lack of room stays.
   *
   * @param clock reads the pool's clock: transactions that may still read the memory began before
   */
  public static void donateAll(
      Environment environment,
      Fabric fabric,
      ChunkPool chunks,
      ComputeNodeEntry node,
      ToLongFunction<Channel> clock) {
    try (Channel channel = fabric.openChannel(2 * STAGING_BYTES)) {
      DonatedMemory donated = new DonatedMemory(channel, node.entry());
      long now = clock.applyAsLong(channel);
      chunks.freeAll();
      long bytes = pieceMemory(chunks.heldBytes());
      for (boolean isDonated = true; isDonated && chunks.heldBytes() > 0; ) {
        try (PoolAllocator allocator = chunks.newAllocator(channel)) {
          isDonated = donated.takeBlock(allocator, chunks.runCount());
        }
        if (isDonated) {
          donated.donate(environment, chunks.takeRuns(bytes, runs(donated.blockClass)), now);
        }
      }
    }
  }

  private static long pieceMemory(long held) {
    return Math.clamp(held / PIECES, PIECE_MEMORY, PIECE_MEMORY_MAX);
  }

  private boolean takeBlock(PoolAllocator allocator, int runCount) {
    long words = FreeSpaceMapLayout.PIECE_FIXED_WORDS + 1L + runCount + MORE_RUNS;
    int bytes = (int) Math.min(words * Long.BYTES, FreeSpaceMapLayout.PIECE_BYTES);
    block = PoolAddress.NULL;
    while (block == PoolAddress.NULL && bytes >= BLOCK_BYTES_MIN) {
      blockClass = SizeClass.of(bytes);
      block = allocator.allocate(blockClass);
      if (block == PoolAddress.NULL) {
        block = allocator.allocateReserved(blockClass);
      }
      bytes /= 2;
    }
    if (block != PoolAddress.NULL) {
      allocator.disown(block, blockClass);
    }
    return block != PoolAddress.NULL;
  }

  /** Does not count the run of the piece's own block. */
  private static int runs(int sizeClass) {
    int bytes = Math.min(SizeClass.bytes(sizeClass), FreeSpaceMapLayout.PIECE_BYTES);
    return bytes / Long.BYTES - FreeSpaceMapLayout.PIECE_FIXED_WORDS - 2;
  }

  /**
   * Donates a piece of the free memory of a logical node, which has no readers any more.
   *
   * @param allocator allocator of the calling thread
   * @return false if there was no room to list the memory
   */
  public static boolean donateSome(
      Environment environment,
      ChunkPool chunks,
      ComputeNodeEntry node,
      Channel channel,
      PoolAllocator allocator,
      int logicalNode) {
    DonatedMemory donated = new DonatedMemory(channel, node.entry());
    boolean isDonated = donated.takeBlock(allocator, chunks.runCount(logicalNode));
    if (isDonated) {
      long bytes = pieceMemory(chunks.heldBytes(logicalNode));
      donated.donate(environment, chunks.takeRuns(logicalNode, bytes, runs(donated.blockClass)), 0);
    }
    return isDonated;
  }

  /**
   * Donates the blocks of a compute node that has failed and is fenced; they are not in use any
   * more. The caller must be the only one that donates them: no other compute node has a reference
   * to them.
   *
   * @param blocks blocks of one size class, of at least {@link FreeSpaceMapLayout#PIECE_BYTES}
   */
  public static void donateBlocks(
      Environment environment,
      Channel channel,
      ComputeNodeEntry dead,
      long[] blocks,
      int sizeClass) {
    DonatedMemory donated = new DonatedMemory(channel, dead.entry());
    donated.blockClass = sizeClass;
    int most = runs(sizeClass) + 1;
    for (int from = 0; from < blocks.length; from += most) {
      int count = Math.min(most, blocks.length - from);
      long[] runs = new long[count - 1];
      for (int i = 1; i < count; i++) {
        runs[i - 1] = FreeSpaceMapLayout.run(blocks[from + i], SizeClass.bytes(sizeClass));
      }
      donated.block = blocks[from];
      donated.donate(environment, runs, 0);
    }
  }

  /** Writes a piece into the block, whose own run is added, and pushes it onto the stack. */
  private void donate(Environment environment, long[] runs, long timestamp) {
    int mark = channel.mark();
    int words = channel.reserve(FreeSpaceMapLayout.PIECE_BYTES);
    int found = channel.reserve(2 * Long.BYTES);
    channel.read(headAddress, found, Long.BYTES);
    channel.read(PoolAddress.of(0, SuperblockLayout.EPOCH_OFFSET), found + Long.BYTES, Long.BYTES);
    channel.flush();
    long before = staging.get(ValueLayout.JAVA_LONG, found);
    long epoch = staging.get(ValueLayout.JAVA_LONG, found + Long.BYTES);
    long ownRun = FreeSpaceMapLayout.run(block, SizeClass.bytes(blockClass));
    boolean isDonated = false;
    for (int attempt = 0; !isDonated; attempt++) {
      int count = 0;
      set(words, count++, FreeSpaceMapLayout.DONATED_MAGIC);
      set(words, count++, epoch);
      set(words, count++, firstPiece(before));
      set(words, count++, timestamp);
      set(words, count++, runs.length + 1L);
      for (long run : runs) {
        set(words, count++, run);
      }
      set(words, count++, ownRun);
      set(words, count, checksum(words, count));
      channel.write(block, words, (count + 1) * Long.BYTES);
      channel.flush();
      isDonated = exchange(before, named(block, before), found);
      before = staging.get(ValueLayout.JAVA_LONG, found + Long.BYTES);
      if (!isDonated) {
        environment.backoff(attempt); // a failed compute node may have to be fenced first
      }
    }
    channel.release(mark);
  }

  private void set(int words, int index, long value) {
    staging.set(ValueLayout.JAVA_LONG, words + (long) index * Long.BYTES, value);
  }

  private long get(int words, int index) {
    return staging.get(ValueLayout.JAVA_LONG, words + (long) index * Long.BYTES);
  }

  private long checksum(int words, int count) {
    long checksum = 0;
    for (int i = 0; i < count; i++) {
      checksum = LogLayout.addToChecksum(checksum, get(words, i));
    }
    return checksum;
  }

  /**
   * Replaces the pointer in the entry by CAS.
   *
   * @param at staging offset of the result; the new pointer follows it
   * @return false if the entry had another pointer
   */
  private boolean exchange(long from, long to, int at) {
    channel.compareAndSwap(headAddress, from, to, at);
    channel.read(headAddress, at + Long.BYTES, Long.BYTES);
    channel.flush();
    return channel.hasSwapped(at, from);
  }

  /**
   * Takes the top piece of an entry, for {@link ChunkPool#giveAdopted}, unless another compute node
   * was faster. An invalid piece is lost, with all below it.
   *
   * @param named current pointer in the entry
   * @return the new pointer in the entry; {@link #TAKEN_BY_ANOTHER} if nothing was taken
   */
  public static long take(Fabric fabric, ChunkPool chunks, Channel channel, int entry, long named) {
    int mark = channel.mark();
    try {
      return new DonatedMemory(channel, entry).take(fabric, chunks, named);
    } finally {
      channel.release(mark);
    }
  }

  /** Takes all pieces of an entry. No other compute node has the pool open. */
  public static void takeAll(Fabric fabric, ChunkPool chunks, Channel channel, int entry) {
    long address =
        SuperblockLayout.computeNode(entry) + SuperblockLayout.COMPUTE_NODE_DONATED_OFFSET;
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(address, offset, Long.BYTES);
    channel.flush();
    long named = channel.staging().get(ValueLayout.JAVA_LONG, offset);
    channel.release(mark);
    while (firstPiece(named) != PoolAddress.NULL) {
      named = take(fabric, chunks, channel, entry, named);
    }
  }

  private long take(Fabric fabric, ChunkPool chunks, long named) {
    long piece = firstPiece(named);
    int words = channel.reserve(FreeSpaceMapLayout.PIECE_BYTES);
    int found = channel.reserve(2 * Long.BYTES);
    long[] runs = read(fabric, piece, words, found);
    long next = named(runs == null ? PoolAddress.NULL : get(words, 2), named);
    long timestamp = get(words, 3);
    if (!exchange(named, next, found)) {
      return TAKEN_BY_ANOTHER;
    }
    if (runs == null) {
      // Its pool was taken over since, and all memory that was free then has been found.
      LOG.debug("no memory is left at {}", PoolAddress.toString(piece));
    } else {
      chunks.adopt(runs, timestamp);
    }
    return next;
  }

  /**
   * Adds all donated memory to the memory that is not in use; for tests.
   *
   * @param pool reads the word at an address of the pool, bypassing the fabric
   */
  public static void addTo(PoolUsage usage, LongUnaryOperator pool) {
    for (int entry = 0; entry < SuperblockLayout.COMPUTE_NODES; entry++) {
      long headAddress =
          SuperblockLayout.computeNode(entry) + SuperblockLayout.COMPUTE_NODE_DONATED_OFFSET;
      long piece = firstPiece(pool.applyAsLong(headAddress));
      while (piece != PoolAddress.NULL) {
        long first = piece + FreeSpaceMapLayout.PIECE_FIXED_WORDS * Long.BYTES;
        int count = (int) pool.applyAsLong(first - Long.BYTES);
        long[] runs = new long[count];
        for (int i = 0; i < count; i++) {
          runs[i] = pool.applyAsLong(first + (long) i * Long.BYTES);
        }
        usage.addRetired(runs);
        piece = pool.applyAsLong(piece + 2 * Long.BYTES);
      }
    }
  }

  /** Returns null if there is none, or if it was written before the pool was taken over. */
  private long[] read(Fabric fabric, long piece, int words, int found) {
    int node = PoolAddress.node(piece);
    long room = node < fabric.nodeCount() ? fabric.nodeBytes(node) - PoolAddress.offset(piece) : 0;
    int bytes = (int) Math.min(FreeSpaceMapLayout.PIECE_BYTES, room) & -Long.BYTES;
    if ((piece & 15) != 0 || bytes < FreeSpaceMapLayout.PIECE_FIXED_WORDS * Long.BYTES) {
      return null;
    }
    channel.read(piece, words, bytes);
    channel.read(PoolAddress.of(0, SuperblockLayout.EPOCH_OFFSET), found, Long.BYTES);
    channel.flush();
    int first = FreeSpaceMapLayout.PIECE_FIXED_WORDS;
    long count = get(words, first - 1);
    boolean isWhole =
        get(words, 0) == FreeSpaceMapLayout.DONATED_MAGIC
            && get(words, 1) == staging.get(ValueLayout.JAVA_LONG, found)
            && count > 0
            && count < bytes / Long.BYTES - first
            && get(words, first + (int) count) == checksum(words, first + (int) count);
    if (!isWhole) {
      return null;
    }
    long[] runs = new long[(int) count];
    for (int i = 0; i < runs.length; i++) {
      runs[i] = get(words, first + i);
    }
    return runs;
  }
}
