package org.nelumbo.executor.version;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.table.CvtCursor;
import org.nelumbo.executor.table.TableStore;

/** Writes version cells into states that no running writer leaves, for tests. */
public final class Cells {
  private Cells() {}

  private static long find(Channel channel, TableStore table, long lotusKey) {
    CvtCursor cursor = table.newCursor();
    for (int count; (count = cursor.next(channel)) > 0; ) {
      for (int i = 0; i < count; i++) {
        int mark = channel.mark();
        int offset = channel.reserve(Long.BYTES);
        channel.read(cursor.cvt(i), offset, Long.BYTES);
        channel.flush();
        channel.release(mark);
        if (channel.staging().get(ValueLayout.JAVA_LONG, offset) == lotusKey) {
          return cursor.cvt(i);
        }
      }
    }
    throw new AssertionError("no such row");
  }

  /** Overwrites the second word of the cells of a row with a torn or an INVISIBLE one. */
  public static void damage(Fabric fabric, TableStore table, long lotusKey, boolean torn) {
    try (Channel channel = fabric.openChannel(1 << 16)) {
      long[] found = {find(channel, table, lotusKey)};
      int offset = channel.reserve(table.cvtBytes());
      channel.read(found[0], offset, table.cvtBytes());
      channel.flush();
      MemorySegment staging = channel.staging();
      for (int cell = 0; cell < table.versions(); cell++) {
        long at = CvtLayout.cellOffset(cell);
        long word0 = staging.get(ValueLayout.JAVA_LONG, offset + at);
        int cv = CellLayout.headCv(word0);
        if (CellLayout.hasRecord(word0)) {
          long wrong =
              torn
                  ? CellLayout.word1(1, cv + 1 & 0xFF)
                  : CellLayout.word1(CellLayout.INVISIBLE, cv);
          channel.writeLong(found[0] + at + Long.BYTES, wrong);
        }
      }
      channel.flush();
    }
  }
}
