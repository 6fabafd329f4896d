package org.nelumbo.executor.recovery;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
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

  IndexRebuild(Channel channel, PoolAllocator allocator, IndexStore index) {
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
    CvtCursor cursor = table.newCursor();
    for (int found; (found = cursor.next(channel)) > 0; ) {
      for (int from = 0; from < found; from += BATCH) {
        addRows(cursor, from, Math.min(found, from + BATCH), records);
      }
    }
    index.tree().markComplete(channel);
  }

  private void addRows(CvtCursor cursor, int from, int to, RecordBatch records) {
    MemorySegment staging = channel.staging();
    int bytes = (table.cvtBytes() + 7) & -8;
    int mark = channel.mark();
    int offset = channel.reserve((to - from) * bytes);
    for (int i = from; i < to; i++) {
      channel.read(cursor.cvt(i), offset + (i - from) * bytes, table.cvtBytes());
    }
    channel.flush();
    records.begin();
    for (int i = from; i < to; i++) {
      long at = offset + (long) (i - from) * bytes;
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
      records.add(cursor.cvt(i), newest);
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
  }

  private NelumboException exhausted() {
    return new NelumboException(
        ErrorCode.OUT_OF_MEMORY,
        "the memory pool is full: there is no memory to build an index of table "
            + table.schema().name()
            + " again, which was incomplete");
  }
}
