package org.nelumbo.dm.alloc;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The mark bitmap of a pool: one bit for 16 bytes, set by following every pointer from the
 * catalogue. It covers the memory that the nodes had allocated when it was made. A compute node
 * makes one when it attaches to a pool that was not shut down cleanly, because the previous compute
 * node's allocators are lost. Memory that is not marked in the end is free ({@link
 * ChunkPool#restore}). Not thread-safe.
 */
public final class MarkBitmap extends MemoryInUse {
  private static final int GRANULE_SHIFT = 4;
  private static final int WORD_SHIFT = 6;

  /** Bits are kept in pieces, so that a pool may be larger than an array. */
  private static final int PIECE_SHIFT = 20;

  private static final int PIECE_WORDS = 1 << PIECE_SHIFT;

  private final long[] nodeBytes;
  private final long[] limits;
  private final long[][][] pieces;

  /** Creates an empty map of a formatted pool, in which only the superblocks are in use. */
  public MarkBitmap(Fabric fabric, Channel channel) {
    super(new long[SizeClass.COUNT]);
    nodeBytes = new long[fabric.nodeCount()];
    limits = new long[fabric.nodeCount()];
    pieces = new long[fabric.nodeCount()][][];
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    for (int node = 0; node < limits.length; node++) {
      channel.read(PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET), offset, Long.BYTES);
      channel.flush();
      long bump = channel.staging().get(ValueLayout.JAVA_LONG, offset);
      if (bump < SuperblockLayout.LENGTH) {
        throw new IllegalStateException(
            "less memory is allocated than the superblock records node=" + node + " bump=" + bump);
      }
      nodeBytes[node] = fabric.nodeBytes(node);
      limits[node] = Math.min(bump, nodeBytes[node] & -64);
      long words = (limits[node] >>> (GRANULE_SHIFT + WORD_SHIFT)) + 1;
      pieces[node] = new long[(int) (words >>> PIECE_SHIFT) + 1][];
      setBits(node, 0, SuperblockLayout.LENGTH >>> GRANULE_SHIFT);
    }
    channel.release(mark);
  }

  /** Returns the bytes of a node that the map covers, from its beginning. */
  public long limit(int node) {
    return limits[node];
  }

  /** Returns the number of logical nodes of the pool. */
  public int nodeCount() {
    return limits.length;
  }

  @Override
  long takenBytes(int node) {
    return limits[node] - SuperblockLayout.LENGTH;
  }

  /** Returns true if these bytes exist, so that they can be read whatever pointer led to them. */
  public boolean isReadable(long address, int bytes) {
    int node = PoolAddress.node(address);
    return node < nodeBytes.length && PoolAddress.offset(address) + bytes <= nodeBytes[node];
  }

  /**
   * Marks a block as in use. Ignores a block that is younger than the map.
   *
   * @return false if some of its bytes are in another block that is in use, or outside the pool:
   *     then nothing has changed, and the pointer to the block is wrong
   */
  public boolean mark(long address, int sizeClass) {
    int node = PoolAddress.node(address);
    long from = PoolAddress.offset(address);
    int bytes = SizeClass.bytes(sizeClass);
    if (node >= limits.length || (from & 15) != 0) {
      return false;
    }
    if (from >= limits[node]) {
      return true;
    }
    long first = from >>> GRANULE_SHIFT;
    int count = bytes >>> GRANULE_SHIFT;
    if (from + bytes > limits[node] || anySet(node, first, count)) {
      return false;
    }
    setBits(node, first, count);
    liveBlocks[sizeClass]++;
    return true;
  }

  /**
   * Marks all bytes of a block as in use, even if some are marked already; bytes outside the pool
   * are left out. For memory that must not be allocated.
   */
  public void cover(long address, int sizeClass) {
    int node = PoolAddress.node(address);
    if (node < limits.length) {
      long first = PoolAddress.offset(address) >>> GRANULE_SHIFT;
      long end = PoolAddress.offset(address) + SizeClass.bytes(sizeClass);
      cover(node, first, Math.min(end, limits[node]) + 15 >>> GRANULE_SHIFT);
    }
  }

  /** Marks all memory as in use. */
  public void coverAll() {
    for (int node = 0; node < limits.length; node++) {
      cover(node, 0, limits[node] >>> GRANULE_SHIFT);
    }
  }

  private void cover(int node, long first, long end) {
    for (long at = next(node, first, end, false); at < end; ) {
      long to = next(node, at, end, true);
      for (long from = at; from < to; from += PIECE_WORDS) {
        setBits(node, from, (int) Math.min(PIECE_WORDS, to - from));
      }
      liveBlocks[0] += (to - at << GRANULE_SHIFT) / SizeClass.bytes(0);
      at = next(node, to, end, false);
    }
  }

  /** Returns true if some bytes of a block are in use. */
  public boolean overlaps(long address, int sizeClass) {
    int node = PoolAddress.node(address);
    long from = PoolAddress.offset(address);
    if (node >= limits.length || from >= limits[node]) {
      return false;
    }
    long end = Math.min(from + SizeClass.bytes(sizeClass), limits[node]) >>> GRANULE_SHIFT;
    return anySet(node, from >>> GRANULE_SHIFT, (int) (end - (from >>> GRANULE_SHIFT)));
  }

  /**
   * Returns true if the first bytes of a block are in use, or if the block is younger than the map.
   */
  public boolean isLive(long address) {
    int node = PoolAddress.node(address);
    long from = PoolAddress.offset(address);
    return node < limits.length
        && (from >= limits[node] || anySet(node, from >>> GRANULE_SHIFT, 1));
  }

  private boolean anySet(int node, long first, int count) {
    long granule = first;
    for (int left = count; left > 0; ) {
      int bit = (int) granule & 63;
      int bits = Math.min(64 - bit, left);
      if ((word(node, granule >>> WORD_SHIFT) & mask(bit, bits)) != 0) {
        return true;
      }
      granule += bits;
      left -= bits;
    }
    return false;
  }

  private void setBits(int node, long first, int count) {
    long granule = first;
    for (int left = count; left > 0; ) {
      int bit = (int) granule & 63;
      int bits = Math.min(64 - bit, left);
      long word = granule >>> WORD_SHIFT;
      int piece = (int) (word >>> PIECE_SHIFT);
      if (pieces[node][piece] == null) {
        pieces[node][piece] = newPiece(node, piece);
      }
      pieces[node][piece][(int) word & (PIECE_WORDS - 1)] |= mask(bit, bits);
      granule += bits;
      left -= bits;
    }
  }

  private long[] newPiece(int node, int piece) {
    long bytes = Math.max(limits[node], SuperblockLayout.LENGTH);
    long words = (bytes >>> (GRANULE_SHIFT + WORD_SHIFT)) + 1;
    return new long[(int) Math.min(PIECE_WORDS, words - ((long) piece << PIECE_SHIFT))];
  }

  private static long mask(int bit, int bits) {
    return (bits == 64 ? -1L : (1L << bits) - 1) << bit;
  }

  private long word(int node, long word) {
    long[] piece = pieces[node][(int) (word >>> PIECE_SHIFT)];
    return piece == null ? 0 : piece[(int) word & (PIECE_WORDS - 1)];
  }

  /** Passes the gaps in ascending order. */
  @Override
  void gaps(int node, Gaps out) {
    long end = limits[node] >>> GRANULE_SHIFT;
    for (long at = next(node, 0, end, false); at < end; ) {
      long to = next(node, at, end, true);
      out.gap(PoolAddress.of(node, at << GRANULE_SHIFT), PoolAddress.of(node, 0) + (to << 4));
      at = next(node, to, end, false);
    }
  }

  /** Returns {@code end} if there is none. */
  private long next(int node, long from, long end, boolean used) {
    long at = from;
    while (at < end) {
      long word = word(node, at >>> WORD_SHIFT);
      long wanted = (used ? word : ~word) & (-1L << (at & 63));
      if (wanted != 0) {
        return Math.min(end, (at & -64L) + Long.numberOfTrailingZeros(wanted));
      }
      at = (at & -64L) + 64;
    }
    return end;
  }

  @Override
  public String toString() {
    return "limits=" + Arrays.toString(limits) + " live=" + liveBytes();
  }
}
