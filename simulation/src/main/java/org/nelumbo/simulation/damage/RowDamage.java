package org.nelumbo.simulation.damage;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.table.CvtCursor;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.simulation.world.SimRandom;

/** Damage to version tables of the rows of a table, including deleted rows. */
final class RowDamage {
  private static final int ROWS_MAX = 4;
  private static final int KINDS = 7;

  /** A bit of the memory node number of an address. */
  private static final long OUTSIDE = 1L << 47;

  /**
   * First address bit whose change leads out of the pool; lower bits lead to the memory of other
   * tables.
   */
  private static final int FIRST_BIT = 23;

  /**
   * First bit of the sizes, which are not damaged: a wrong size would include memory of other
   * tables.
   */
  private static final int FIRST_SIZE_BIT = 50;

  private final Engine engine;
  private final TableStore table;
  private final SimRandom random;

  RowDamage(Engine engine, TableStore table, SimRandom random) {
    this.engine = engine;
    this.table = table;
    this.random = random;
  }

  /** Damages some rows. */
  void run() {
    try (Coordinator coordinator = engine.openCoordinator()) {
      Channel channel = coordinator.channel();
      CvtCursor cursor = table.newCursor();
      long other = 0;
      int left = 1 + random.nextInt(ROWS_MAX);
      for (int found = cursor.next(channel); found > 0 && left > 0; found = cursor.next(channel)) {
        for (int i = 0; i < found && left > 0; i++) {
          if (other != 0 && random.nextInt(2) == 0) {
            damage(channel, cursor.cvt(i), other);
            left--;
          }
          other = cursor.cvt(i);
        }
      }
    }
  }

  private void damage(Channel channel, long cvt, long other) {
    int mark = channel.mark();
    int cell = random.nextInt(table.versions());
    long at = cvt + CvtLayout.cellOffset(cell);
    switch (random.nextInt(KINDS)) {
      case 0 -> removeRecords(channel, cvt);
      case 1 -> channel.writeLong(cvt, random.nextLong()); // changes the key
      case 2 -> { // leads out of the pool
        int offset = read(channel, cvt);
        long word = CvtLayout.word0(channel.staging(), offset, cell);
        channel.writeLong(at, word | OUTSIDE);
      }
      case 3 -> { // leads to the record of another row
        int offset = read(channel, other);
        MemorySegment staging = channel.staging();
        channel.writeLong(at, CvtLayout.word0(staging, offset, cell));
        channel.writeLong(at + Long.BYTES, CvtLayout.word1(staging, offset, cell));
      }
      case 4 -> { // leads to the record of a later version
        int offset = read(channel, cvt);
        long word = CvtLayout.word0(channel.staging(), offset, cell);
        if (CellLayout.hasRecord(word) && CellLayout.address(word) >>> FIRST_BIT == 0) {
          channel.writeLong(
              CellLayout.address(word) + RecordLayout.PREDECESSOR_OFFSET, Long.MAX_VALUE);
        }
      }
      case 5 -> { // keeps the cell INVISIBLE, as if its writer had failed
        int offset = read(channel, cvt);
        long word = CvtLayout.word1(channel.staging(), offset, cell);
        channel.writeLong(
            at + Long.BYTES, CellLayout.word1(CellLayout.INVISIBLE, CellLayout.tailCv(word)));
      }
      default -> { // leads out of the pool, or makes the cell free or deleted
        int offset = read(channel, cvt);
        long word = CvtLayout.word0(channel.staging(), offset, cell);
        channel.writeLong(at, word ^ 1L << FIRST_BIT + random.nextInt(FIRST_SIZE_BIT - FIRST_BIT));
      }
    }
    channel.flush();
    channel.release(mark);
  }

  private int read(Channel channel, long cvt) {
    int offset = channel.reserve(table.cvtBytes());
    channel.read(cvt, offset, table.cvtBytes());
    channel.flush();
    return offset;
  }

  private void removeRecords(Channel channel, long cvt) {
    int offset = read(channel, cvt);
    for (int cell = 0; cell < table.versions(); cell++) {
      if (CellLayout.hasRecord(CvtLayout.word0(channel.staging(), offset, cell))) {
        channel.writeLong(cvt + CvtLayout.cellOffset(cell), 0);
      }
    }
  }
}
