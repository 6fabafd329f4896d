package org.nelumbo.executor.recovery;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.alloc.MarkBitmap;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.VisibilityRules;

/**
 * Searches all memory of a pool for the CVTs of a table, for a table whose only index is
 * half-written. It finds every row. What else looks like a CVT is not the CVT of a row: a CVT with
 * a version loses its LOTUS key before its memory is freed, unless the whole store is dropped, and
 * the ids of stores are never used again. In a CVT without a version the pattern of a cell can only
 * come from a later use of the memory, so the cell does not lead to a record with the key of the
 * CVT ({@link #hasVersion}). Cost: it reads the memory that is allocated at any node. Used once.
 */
final class CvtSearch {
  private static final int PIECE = 64 << 10;

  /** Blocks of memory begin at a multiple of this. */
  private static final int ALIGNMENT = 16;

  private final Channel channel;
  private final MarkBitmap pool;
  private final TableStore table;
  private final KeyBuffer key = new KeyBuffer();

  CvtSearch(Channel channel, MarkBitmap pool, TableStore table) {
    this.channel = channel;
    this.pool = pool;
    this.table = table;
  }

  /** Returns the addresses of the CVTs, in ascending order for each node. */
  LongList run() {
    LongList found = new LongList();
    int piece = Math.min(PIECE, channel.stagingAvailable() / 2) & -ALIGNMENT;
    for (int node = 0; node < pool.nodeCount(); node++) {
      long end = pool.limit(node);
      for (long from = SuperblockLayout.LENGTH; from < end; from += piece) {
        search(PoolAddress.of(node, from), (int) Math.min(piece, end - from), end - from, found);
      }
    }
    return found;
  }

  /**
   * Searches for CVTs that begin in a piece of memory.
   *
   * @param left bytes from the beginning of the piece to the end of the node's memory
   */
  private void search(long address, int bytes, long left, LongList found) {
    int mark = channel.mark();
    int read = (int) Math.min(left, bytes + table.cvtBytes());
    int offset = read(address, read);
    MemorySegment staging = channel.staging();
    for (int at = 0; at < bytes && at + table.cvtBytes() <= read; at += ALIGNMENT) {
      if (isCvt(staging, offset + at)) {
        found.add(address + at);
      }
    }
    channel.release(mark);
  }

  /**
   * Returns true if a copy in the staging buffer is a CVT with a version: if the newest record of
   * its cells has its key. Otherwise the memory may be in use for something else. Cells without a
   * timestamp do not count.
   */
  boolean hasVersion(int at) {
    MemorySegment staging = channel.staging();
    int cell = VisibilityRules.newestWithRecord(staging, at, table.versions());
    long newest = cell < 0 ? 0 : CvtLayout.word0(staging, at, cell);
    long overflow = CvtLayout.overflow(staging, at);
    if (cell < 0
        && overflow != PoolAddress.NULL
        && pool.isReadable(overflow, OverflowLayout.LENGTH)) {
      newest = OverflowLayout.word0(staging, read(overflow, OverflowLayout.LENGTH));
    }
    return newest != 0 && hasRecordOf(CvtLayout.lotusKey(staging, at), newest);
  }

  private boolean hasRecordOf(long lotusKey, long word0) {
    long address = CellLayout.address(word0);
    int sizeClass = CellLayout.sizeClass(word0);
    if (sizeClass >= SizeClass.COUNT || !pool.isReadable(address, SizeClass.bytes(sizeClass))) {
      return false;
    }
    int bytes = SizeClass.bytes(sizeClass);
    int mark = channel.mark();
    int at = read(address, bytes);
    MemorySegment staging = channel.staging();
    int keyLength = RecordLayout.keyLength(staging, at);
    int length = RecordLayout.length(staging, at);
    boolean fits =
        keyLength >= table.layout().leastKeyBytes()
            && RecordLayout.KEY_OFFSET + keyLength <= length
            && length <= bytes;
    if (fits) {
      key.clear();
      key.ensure(keyLength);
      MemorySegment.copy(
          staging, ValueLayout.JAVA_BYTE, at + RecordLayout.KEY_OFFSET, key.bytes, 0, keyLength);
    }
    channel.release(mark);
    return fits && isKey(lotusKey, keyLength);
  }

  private boolean isKey(long lotusKey, int keyLength) {
    try {
      return table.layout().lotusKey(key.bytes, 0, keyLength) == lotusKey;
    } catch (NelumboException | IndexOutOfBoundsException notAKey) {
      return false;
    }
  }

  private int read(long address, int bytes) {
    int offset = channel.reserve(bytes);
    channel.read(address, offset, bytes);
    channel.flush();
    return offset;
  }

  private boolean isCvt(MemorySegment staging, int at) {
    int blockClass = CvtLayout.blockClass(staging, at);
    return CvtLayout.isOf(staging, at, table.id(), table.versions())
        && CvtLayout.lotusKey(staging, at) != 0
        && blockClass < SizeClass.COUNT
        && SizeClass.bytes(blockClass) >= table.cvtBytes();
  }
}
