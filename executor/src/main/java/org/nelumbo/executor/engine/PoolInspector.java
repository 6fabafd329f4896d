package org.nelumbo.executor.engine;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.index.hash.HashCursor;
import org.nelumbo.dm.index.hash.HashStatistics;
import org.nelumbo.dm.index.tree.TreeStatistics;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.lock.LockState;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.VisibilityRules;
import org.nelumbo.session.Isolation;

/**
 * Looks into the pool for views: memory of tables that are not being dropped (estimates where a
 * table is large or being changed), rows behind locks. With a coordinator of its own, whose horizon
 * is pinned until it is closed.
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

  /** The table's hash index: its entries are the rows, and those deleted a moment ago. */
  public HashStatistics hash(TableStore table) {
    return table.hash().statistics(channel);
  }

  /** Looks how full the table's hash index is, for its estimate of how many rows there are. */
  public void measure(TableStore table) {
    table.hash().estimate().measure(channel);
  }

  /** An ordered index; reads all of its nodes. */
  public TreeStatistics tree(IndexStore index) {
    return index.tree().statistics(channel);
  }

  /** Bytes of a row with all its versions that are in its CVT: an average of some of them. */
  public double bytesPerRow(TableStore table) {
    HashCursor cursor = table.hash().newCursor();
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
   * @param cell which of the CVT's cells
   * @param lotusKey of the row
   * @param transaction id of the transaction that wrote it; 0 if the cell does not tell, being torn
   */
  public record InvisibleCell(long cvt, int cell, long lotusKey, long transaction) {}

  /** All cells of a table that wait for a timestamp just now, or are torn; reads every CVT. */
  public List<InvisibleCell> invisibleCells(TableStore table) {
    List<InvisibleCell> found = new ArrayList<>();
    HashCursor cursor = table.hash().newCursor();
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

  /** Id of the table that a locked row belongs to; -1 if that cannot be told. */
  public int tableOf(LockState lock) {
    if (lock.isLeaf() || lock.cvt() == 0) {
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
