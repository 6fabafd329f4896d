package org.nelumbo.executor.engine;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.index.hash.HashStatistics;
import org.nelumbo.dm.index.tree.TreeStatistics;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.lock.LockState;
import org.nelumbo.executor.table.CvtCursor;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.VisibilityRules;
import org.nelumbo.session.Isolation;

/**
 * Reads the pool for system views: memory of tables that are not being dropped (estimates if a
 * table is large or being changed), and rows of locks. Has its own coordinator, whose horizon is
 * pinned until it is closed.
 */
public final class PoolInspector implements AutoCloseable {
  private static final int SAMPLE = 256;

  private final Coordinator coordinator;
  private final Channel channel;
  private final MemorySegment staging;

  /** Opens a coordinator. */
  public PoolInspector(Engine engine) {
    this.coordinator = engine.openCoordinator();
    this.channel = coordinator.channel();
    this.staging = channel.staging();
    coordinator.transaction().begin(Isolation.SNAPSHOT, true);
  }

  /**
   * Returns statistics of the hash index of a table that has one: its entries are the rows,
   * including recently deleted ones.
   */
  public HashStatistics hash(TableStore table) {
    return table.hash().statistics(channel);
  }

  /** Returns the number of rows, including recently deleted ones; an estimate if there are many. */
  public long rows(TableStore table) {
    return table.hash() == null ? tree(table.primary()).entries() : hash(table).entries();
  }

  /** Measures how full the table's index is, for its estimate of the number of rows. */
  public void measure(TableStore table) {
    table.estimate().measure(channel);
  }

  /** Returns statistics of an ordered index; reads all of its nodes. */
  public TreeStatistics tree(IndexStore index) {
    return index.tree().statistics(channel);
  }

  /** Returns the bytes of a row with all versions in its CVT: the average of a sample. */
  public double bytesPerRow(TableStore table) {
    CvtCursor cursor = table.newCursor();
    int count = Math.min(SAMPLE, cursor.next(channel));
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += rowBytes(table, cursor.cvt(i));
    }
    return count == 0 ? 0 : (double) bytes / count;
  }

  private long rowBytes(TableStore table, long cvt) {
    int mark = channel.mark();
    int offset = channel.reserve(table.cvtBytes());
    channel.read(cvt, offset, table.cvtBytes());
    channel.flush();
    long bytes = SizeClass.bytes(CvtLayout.blockClass(staging, offset));
    for (int cell = 0; cell < table.versions(); cell++) {
      long word0 = CvtLayout.word0(staging, offset, cell);
      if (CellLayout.isValid(word0) && CellLayout.hasOwnBlock(word0)) {
        bytes += SizeClass.bytes(CellLayout.sizeClass(word0));
      }
    }
    channel.release(mark);
    return bytes;
  }

  /**
   * A cell that has been written and has no timestamp.
   *
   * @param cvt address of its CVT
   * @param cell index of the cell in the CVT
   * @param lotusKey LOTUS key of the row
   * @param transaction id of the transaction that wrote it; 0 if unknown, since the cell is torn
   */
  public record InvisibleCell(long cvt, int cell, long lotusKey, long transaction) {}

  /**
   * Returns all cells of a table that have no timestamp at present, or are torn; reads every CVT.
   */
  public List<InvisibleCell> invisibleCells(TableStore table) {
    List<InvisibleCell> found = new ArrayList<>();
    CvtCursor cursor = table.newCursor();
    for (int count = cursor.next(channel); count > 0; count = cursor.next(channel)) {
      for (int i = 0; i < count; i++) {
        addInvisible(table, cursor.cvt(i), found);
      }
    }
    return found;
  }

  private void addInvisible(TableStore table, long cvt, List<InvisibleCell> found) {
    int mark = channel.mark();
    int offset = channel.reserve(table.cvtBytes());
    channel.read(cvt, offset, table.cvtBytes());
    channel.flush();
    for (int cell = 0; cell < table.versions(); cell++) {
      long word0 = CvtLayout.word0(staging, offset, cell);
      long word1 = CvtLayout.word1(staging, offset, cell);
      if (VisibilityRules.isUnsettled(word0, word1)) {
        long transaction = Math.max(0, CellLayout.version(word1) - CellLayout.FIRST_INVISIBLE);
        found.add(new InvisibleCell(cvt, cell, CvtLayout.lotusKey(staging, offset), transaction));
      }
    }
    channel.release(mark);
  }

  /** Returns the id of the table that a locked row belongs to; -1 if unknown. */
  public int tableOf(LockState lock) {
    if (lock.cvt() == PoolAddress.NULL) {
      return -1;
    }
    int mark = channel.mark();
    int offset = channel.reserve(CvtLayout.FIRST_CELL_OFFSET);
    channel.read(lock.cvt(), offset, CvtLayout.FIRST_CELL_OFFSET);
    channel.flush();
    boolean same = CvtLayout.lotusKey(staging, offset) == lock.key();
    int table = same ? CvtLayout.storeId(staging, offset) : -1;
    channel.release(mark);
    return table;
  }

  @Override
  public void close() {
    coordinator.close();
  }
}
