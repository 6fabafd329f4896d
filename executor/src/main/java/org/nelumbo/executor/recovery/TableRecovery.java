package org.nelumbo.executor.recovery;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.alloc.MarkBitmap;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LatchOwner;
import org.nelumbo.dm.index.hash.HashSweepVisitor;
import org.nelumbo.dm.index.tree.TreeSweepVisitor;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.DamagedPageException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.DamagedPages;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.VisibilityRules;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a table in order: repairs its indexes; visits every CVT that the hash index leads to, takes
 * back what is pending, and marks what is in use; then takes the entries out of the ordered indexes
 * that lead to no row, or, in secondary indexes, not to the row as it is. An ordered index with a
 * half-written node is given up. There are no snapshots from before, so deleted rows and overflow
 * chains go, too. Used once.
 */
final class TableRecovery implements HashSweepVisitor {
  private static final Logger LOG = LoggerFactory.getLogger(TableRecovery.class);
  private static final int BATCH = 512;

  /** More of them, and the structures may lead in a circle. */
  private static final int SHARED_MAX = 10_000;

  private final Channel channel;
  private final MemorySegment staging;
  private final PoolAllocator allocator;
  private final MarkBitmap live;
  private final MarkBitmap shared;

  /** Null if no pages were lost. */
  private final DamagedPages lost;

  private final TableStore table;
  private final RecoveryCounts counts;
  private final CvtSettler settler;
  private final KeySet[] entries;
  private final RecordBatch records;
  private final KeyBuffer key = new KeyBuffer();
  private final List<IndexStore> torn = new ArrayList<>();

  /** Rows that the hash index leads to. */
  private long rows;

  /** Whether only to look for shared blocks, in a table that has been put in order. */
  private boolean isLooking;

  private long sharedBlock = PoolAddress.NULL;
  private int sharedCount;

  /**
   * The recovery of one table.
   *
   * @param live all memory that is in use; what the table has is added
   * @param shared blocks that are in use twice; those of the table are added
   * @param lost pages that must not be read; null if there are none
   */
  TableRecovery(
      Channel channel,
      PoolAllocator allocator,
      MarkBitmap live,
      MarkBitmap shared,
      DamagedPages lost,
      TableStore table,
      RecoveryCounts counts) {
    this.channel = channel;
    this.staging = channel.staging();
    this.allocator = allocator;
    this.live = live;
    this.shared = shared;
    this.lost = lost;
    this.table = table;
    this.counts = counts;
    this.settler = new CvtSettler(channel, table, live, counts);
    this.entries = new KeySet[table.indexes().length];
    Arrays.setAll(entries, i -> new KeySet());
    this.records = new RecordBatch(channel, this::addEntries);
  }

  /** Looks for shared blocks in a table that has been put in order, and does nothing else. */
  void lookForShared() {
    isLooking = true;
    run();
  }

  /** A block of this table that something else in the pool has, too; NULL if there is none. */
  long sharedBlock() {
    return sharedBlock;
  }

  /** Returns the indexes that have to be built anew, once memory can be given back. */
  List<IndexStore> run() {
    counts.tables++;
    counts.repairedNodes += table.hash().repair(channel, allocator, LatchOwner.ANY);
    counts.removedEntries += table.hash().sweep(channel, this);
    if (table.primary() != null) {
      sweep(table.primary());
    }
    for (int i = 0; i < table.indexes().length; i++) {
      sweep(table.indexes()[i], entries[i]);
    }
    return torn;
  }

  private void addEntries(long cvt, RowBuffer image, int keyLength) {
    for (int i = 0; i < entries.length; i++) {
      table.indexes()[i].encoder().build(image, key);
      entries[i].add(key.bytes, key.length, cvt);
    }
  }

  /** All rows have an entry: it is there before a row is visible. */
  private void sweep(IndexStore primary) {
    sweep(
        primary,
        rows,
        (entry, length, cvt) -> {
          boolean isRow = live.isLive(cvt);
          if (!isRow) {
            requireAbsent(primary, entry, length, cvt);
          }
          return isRow;
        });
  }

  private void sweep(IndexStore index, KeySet keys) {
    sweep(
        index,
        keys.size(),
        (entry, length, cvt) -> live.isLive(cvt) && keys.contains(entry, length, cvt));
  }

  /** Whether an entry of an ordered index leads to its row. */
  @FunctionalInterface
  private interface EntryRule {
    boolean keeps(byte[] key, int length, long cvt);
  }

  /**
   * The hash index does not lead to a row to which the primary index leads. It was not committed,
   * or deleted; then its CVT says so.
   *
   * @throws IllegalStateException if it does not
   */
  private void requireAbsent(IndexStore primary, byte[] entry, int length, long cvt) {
    int bytes = table.cvtBytes();
    boolean isAbsent = live.isReadable(cvt, bytes);
    if (isAbsent) {
      int mark = channel.mark();
      int at = channel.reserve(bytes);
      channel.read(cvt, at, bytes);
      channel.flush();
      long found = CvtLayout.lotusKey(staging, at);
      int cell = VisibilityRules.newest(staging, at, table.versions());
      isAbsent =
          CvtLayout.isOf(staging, at, table.id(), table.versions())
              && (found == 0 || found == primary.lotusKey(entry, 0, length))
              && (cell < 0 || CellLayout.isDeleted(CvtLayout.word0(staging, at, cell)));
      channel.release(mark);
    }
    if (!isAbsent) {
      throw new IllegalStateException(
          "a row is in one index, and not in the other cvt=" + PoolAddress.toString(cvt));
    }
  }

  /**
   * Takes out entries that lead to no row.
   *
   * @param expected how many have to be left; if there are others the index is built anew
   */
  private void sweep(IndexStore index, long expected, EntryRule rule) {
    int mark = channel.mark();
    try {
      sweepSound(index, expected, rule);
    } catch (DamagedPageException e) {
      channel.flush(); // what was posted before
      channel.release(mark);
      LOG.warn("an index of table {} is built anew: {}", table.schema().name(), e.getMessage());
      giveUp(index);
    }
  }

  /** Has an index built anew; what was found of it before stays in use until the next recovery. */
  private void giveUp(IndexStore index) {
    index.tree().markIncomplete(channel);
    if (!live.isLive(index.root())) {
      live.mark(index.root(), TreeNodeLayout.ROOT_BLOCK_SIZE_CLASS);
    }
    torn.add(index);
  }

  private void sweepSound(IndexStore index, long expected, EntryRule rule) {
    if (index.tree().isTorn(channel, LatchOwner.ANY)) {
      index.tree().markIncomplete(channel);
      markUsed(index.root(), TreeNodeLayout.ROOT_BLOCK_SIZE_CLASS);
      torn.add(index);
      return;
    }
    counts.repairedNodes += index.tree().repair(channel, allocator, LatchOwner.ANY);
    long[] kept = new long[1];
    TreeSweepVisitor sweep =
        new TreeSweepVisitor() {
          @Override
          public void memory(long address, int sizeClass) {
            markUsed(address, sizeClass);
          }

          @Override
          public boolean keeps(byte[] entry, int length, long cvt) {
            boolean isKept = rule.keeps(entry, length, cvt);
            kept[0] += isKept ? 1 : 0;
            return isKept;
          }
        };
    counts.removedEntries += index.tree().sweep(channel, sweep);
    if (kept[0] != expected) {
      LOG.warn(
          "an index of table {} has {} entries of {} rows, and is built anew",
          table.schema().name(),
          kept[0],
          expected);
      index.tree().markIncomplete(channel);
      torn.add(index);
    }
  }

  @Override
  public void memory(long address, int sizeClass) {
    markUsed(address, sizeClass);
  }

  private void markUsed(long address, int sizeClass) {
    if (lost != null) {
      lost.check(address, SizeClass.bytes(sizeClass));
    }
    boolean isShared =
        isLooking ? shared.overlaps(address, sizeClass) : !live.mark(address, sizeClass);
    if (isLooking) {
      live.mark(address, sizeClass);
    }
    if (isShared) {
      setShared(address, sizeClass);
    }
  }

  private void setShared(long address, int sizeClass) {
    sharedBlock = address;
    if (!isLooking) {
      if (++sharedCount > SHARED_MAX) {
        throw new IllegalStateException(
            "blocks are in use twice address=" + PoolAddress.toString(address));
      }
      shared.cover(address, sizeClass);
      live.cover(address, sizeClass);
    }
  }

  @Override
  public void judge(long[] cvts, int count, long[] lotusKeys) {
    int batch = Math.min(BATCH, channel.stagingAvailable() / 2 / slotBytes());
    for (int from = 0; from < count; from += batch) {
      counts.logProgress(table.schema().name());
      judge(cvts, from, Math.min(count, from + batch), lotusKeys);
    }
  }

  private int slotBytes() {
    return (table.cvtBytes() + 7) & -8;
  }

  private void judge(long[] cvts, int from, int to, long[] lotusKeys) {
    int mark = channel.mark();
    int offset = channel.reserve((to - from) * slotBytes());
    for (int i = from; i < to; i++) {
      channel.read(cvts[i], offset + (i - from) * slotBytes(), table.cvtBytes());
    }
    channel.flush();
    records.begin();
    for (int i = from; i < to; i++) {
      int at = offset + (i - from) * slotBytes();
      requireCvt(cvts[i], at);
      boolean there = settler.settle(cvts[i], at);
      lotusKeys[i] = there ? CvtLayout.lotusKey(staging, at) : 0;
      if (there) {
        keep(cvts[i], at);
      }
    }
    channel.flush();
    records.finish();
    channel.release(mark);
  }

  /**
   * An entry leads to a CVT, or to what was to become one when its writer died: where there is more
   * than one memory node the entry may have been there first.
   */
  private void requireCvt(long cvt, int at) {
    if (live.nodeCount() == 1 && !CvtLayout.isOf(staging, at, table.id(), table.versions())) {
      throw new IllegalStateException(
          "the hash index leads to no row cvt=" + PoolAddress.toString(cvt));
    }
  }

  private void keep(long cvt, int at) {
    counts.rows++;
    rows++;
    markUsed(cvt, CvtLayout.blockClass(staging, at));
    for (int cell = 0; cell < table.versions(); cell++) {
      long word0 = CvtLayout.word0(staging, at, cell);
      if (CellLayout.isValid(word0) && CellLayout.hasOwnBlock(word0)) {
        markUsed(CellLayout.address(word0), CellLayout.sizeClass(word0));
      }
    }
    if (entries.length > 0) {
      addRecord(cvt, settler.newestWord0());
    }
  }

  private void addRecord(long cvt, long word0) {
    long address = CellLayout.address(word0);
    if (!live.isReadable(address, SizeClass.bytes(CellLayout.sizeClass(word0)))) {
      throw new IllegalStateException(
          "a record is outside the pool address=" + PoolAddress.toString(address));
    }
    records.add(cvt, word0);
  }
}
