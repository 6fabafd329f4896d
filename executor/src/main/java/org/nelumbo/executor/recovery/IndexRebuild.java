package org.nelumbo.executor.recovery;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.CvtCursor;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;

/**
 * Rebuilds an ordered index from the rows of its table, which is otherwise recovered. If
 * interrupted, the index stays marked as incomplete.
 */
final class IndexRebuild {
  private static final int BATCH = 256;

  private final Channel channel;
  private final PoolAllocator allocator;
  private final IndexStore index;
  private final TableStore table;
  private final KeyBuffer key = new KeyBuffer();

  /** The CVTs of all rows; null if they are read from the index that finds rows by key. */
  private final LongList rows;

  private final long[] cvts = new long[BATCH];

  IndexRebuild(Channel channel, PoolAllocator allocator, IndexStore index, LongList rows) {
    this.rows = rows;
    this.channel = channel;
    this.allocator = allocator;
    this.index = index;
    this.table = index.table();
  }

  void run() {
    if (!index.tree().clear(channel, allocator)) {
      throw exhausted();
    }
    RecordBatch records = new RecordBatch(channel, this::add);
    if (rows == null) {
      addByCursor(records);
    } else {
      addFound(records);
    }
    index.tree().markComplete(channel);
  }

  private void addByCursor(RecordBatch records) {
    CvtCursor cursor = table.newCursor();
    for (int found; (found = cursor.next(channel)) > 0; ) {
      for (int from = 0; from < found; from += BATCH) {
        int count = Math.min(BATCH, found - from);
        for (int i = 0; i < count; i++) {
          cvts[i] = cursor.cvt(from + i);
        }
        addRows(count, records);
      }
    }
  }

  private void addFound(RecordBatch records) {
    for (int from = 0; from < rows.size(); from += BATCH) {
      int count = Math.min(BATCH, rows.size() - from);
      for (int i = 0; i < count; i++) {
        cvts[i] = rows.get(from + i);
      }
      addRows(count, records);
    }
  }

  private void addRows(int count, RecordBatch records) {
    MemorySegment staging = channel.staging();
    int bytes = (table.cvtBytes() + 7) & -8;
    int mark = channel.mark();
    int offset = channel.reserve(count * bytes);
    for (int i = 0; i < count; i++) {
      channel.read(cvts[i], offset + i * bytes, table.cvtBytes());
    }
    channel.flush();
    records.begin();
    for (int i = 0; i < count; i++) {
      long at = offset + (long) i * bytes;
      long newest = 0;
      long best = -1;
      for (int cell = 0; cell < table.versions(); cell++) {
        long word0 = CvtLayout.word0(staging, at, cell);
        long version = CellLayout.version(CvtLayout.word1(staging, at, cell));
        if (CellLayout.isValid(word0) && version > best) {
          best = version;
          newest = word0;
        }
      }
      records.add(cvts[i], newest);
    }
    records.finish();
    channel.release(mark);
  }

  private void add(long cvt, RowBuffer image, int keyLength) {
    if (index.isPrimary()) {
      key.clear();
      key.append(image.bytes, image.offset, keyLength);
    } else {
      index.encoder().build(image, key);
    }
    int status =
        index.tree().insert(channel, allocator, key.bytes, key.length, cvt, LeafGuard.NONE);
    if (status == IndexResult.EXHAUSTED) {
      throw exhausted();
    }
    if (status == IndexResult.PRESENT && rows != null) {
      throw new IllegalStateException(
          "two rows have one key table="
              + table.schema().name()
              + " cvt="
              + PoolAddress.toString(cvt));
    }
  }

  private NelumboException exhausted() {
    return new NelumboException(
        ErrorCode.OUT_OF_MEMORY,
        "the memory pool is full: there is no memory to build an index of table "
            + table.schema().name()
            + " again, which was incomplete");
  }
}
