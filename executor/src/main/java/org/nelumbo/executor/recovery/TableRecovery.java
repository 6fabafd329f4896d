package org.nelumbo.executor.recovery;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.alloc.MarkBitmap;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LatchOwner;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.index.hash.HashSweepVisitor;
import org.nelumbo.dm.index.tree.OrderedIndex;
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
import org.nelumbo.executor.version.CvtWriter;
import org.nelumbo.executor.version.VisibilityRules;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers one table. Used once.
 *
 * <ol>
 *   <li>It repairs the hash index.
 *   <li>It visits every CVT that the hash index leads to, frees pending cells, and marks the memory
 *       in use.
 *   <li>It repairs the ordered indexes, and removes their entries that lead to no row or, in
 *       secondary indexes, not to the present version of the row.
 * </ol>
 *
 * <p>The first two steps use the ordered primary index of a table without a hash index. If that has
 * an incomplete node, all memory of the pool is searched for the rows ({@link CvtSearch}).
 *
 * <p>An ordered index with an incomplete node is given up for a rebuild. There are no snapshots
 * from before, so deleted rows and overflow chains are removed, too.
 */
final class TableRecovery implements HashSweepVisitor {
  private static final Logger LOG = LoggerFactory.getLogger(TableRecovery.class);
  private static final int BATCH = 512;

  /** Maximum number of shared blocks. More of them may mean that the structures form a cycle. */
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
  private final CvtWriter cvtWriter;
  private final KeySet[] entries;
  private final RecordBatch records;
  private final KeyBuffer key = new KeyBuffer();
  private final List<IndexStore> torn = new ArrayList<>();

  /** The CVTs of all rows if no index leads to them; otherwise null. */
  private LongList found;

  private long rows;

  /** True to search for shared blocks only, in a table that has been recovered. */
  private boolean isLooking;

  private long sharedBlock = PoolAddress.NULL;
  private int sharedCount;

  /**
   * Creates the recovery of one table.
   *
   * @param live all memory in use, to which that of the table is added
   * @param shared blocks that are in use twice, to which those of the table are added
   * @param lost pages that must not be read, or null
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
    this.cvtWriter = new CvtWriter(channel);
    this.settler = new CvtSettler(channel, table, live, counts);
    this.entries = new KeySet[table.indexes().length];
    Arrays.setAll(entries, i -> new KeySet());
    this.records = new RecordBatch(channel, this::addEntries);
  }

  /** Searches for shared blocks in a table that has been recovered, and does nothing else. */
  void lookForShared() {
    isLooking = true;
    run();
  }

  /** Returns a block of this table that is also in use elsewhere in the pool, or NULL. */
  long sharedBlock() {
    return sharedBlock;
  }

  /** Recovers the table; returns the indexes that have to be rebuilt once memory can be freed. */
  List<IndexStore> run() {
    counts.tables++;
    if (table.hash() == null) {
      sweepRows(table.keyTree());
    } else {
      counts.repairedNodes += table.hash().repair(channel, allocator, LatchOwner.ANY);
      counts.removedEntries += table.hash().sweep(channel, this);
      if (table.primary() != null) {
        sweep(table.primary());
      }
    }
    for (int i = 0; i < table.indexes().length; i++) {
      sweep(table.indexes()[i], entries[i]);
    }
    return torn;
  }

  /** Visits the rows of a table without a hash index by its ordered primary index. */
  private void sweepRows(OrderedIndex tree) {
    if (tree.isTorn(channel, LatchOwner.ANY)) {
      searchRows();
      return;
    }
    counts.repairedNodes += tree.repair(channel, allocator, LatchOwner.ANY);
    counts.removedEntries += tree.sweep(channel, new RowSweep());
  }

  /** Finds the rows without an index, which is rebuilt from them. */
  private void searchRows() {
    if (lost != null) {
      throw new IllegalStateException("its only index is damaged");
    }
    LOG.warn("searching the pool for the rows of table {}", table.schema().name());
    giveUp(table.primary());
    CvtSearch search = new CvtSearch(channel, live, table);
    LongList all = search.run();
    found = new LongList();
    for (int i = 0; i < all.size(); i++) {
      int mark = channel.mark();
      int at = channel.reserve(slotBytes());
      channel.read(all.get(i), at, table.cvtBytes());
      channel.flush();
      records.begin();
      if (search.hasVersion(at) && settleOrKill(all.get(i), at)) {
        found.add(all.get(i));
      }
      channel.flush();
      records.finish();
      channel.release(mark);
    }
  }

  /** Returns the CVTs of all rows if the table has no index that leads to them; otherwise null. */
  LongList found() {
    return found;
  }

  /** Judges the entries of a primary index as {@link #judge} does those of a hash index. */
  private final class RowSweep implements TreeSweepVisitor {
    private int mark;
    private int next;

    @Override
    public void memory(long address, int sizeClass) {
      markUsed(address, sizeClass);
    }

    @Override
    public void beginLeaf(long[] cvts, int count) {
      counts.logProgress(table.schema().name());
      mark = channel.mark();
      next = channel.reserve(count * slotBytes());
      for (int i = 0; i < count; i++) {
        channel.read(cvts[i], next + i * slotBytes(), table.cvtBytes());
      }
      channel.flush();
      records.begin();
    }

    @Override
    public boolean keeps(byte[] entry, int length, long cvt) {
      int at = next;
      next += slotBytes();
      requireCvt(cvt, at);
      if (!isOfKey(at, table.primary().lotusKey(entry, 0, length), cvt)) {
        return false;
      }
      return settleOrKill(cvt, at);
    }

    @Override
    public void endLeaf() {
      channel.flush();
      records.finish();
      channel.release(mark);
    }
  }

  /**
   * Settles a CVT of a table without a hash index; returns true if the row exists. Otherwise {@link
   * CvtSearch} must not find the CVT.
   */
  private boolean settleOrKill(long cvt, int at) {
    boolean there = settler.settle(cvt, at);
    if (there) {
      keep(cvt, at);
    } else {
      cvtWriter.postDead(cvt);
    }
    return there;
  }

  private boolean isOfKey(int at, long lotusKey, long cvt) {
    long found = CvtLayout.lotusKey(staging, at);
    if (found != lotusKey && found != 0 && live.nodeCount() == 1) {
      throw new IllegalStateException(
          "an entry points to the CVT of another key cvt=" + PoolAddress.toString(cvt));
    }
    return found == lotusKey;
  }

  private void addEntries(long cvt, RowBuffer image, int keyLength) {
    for (int i = 0; i < entries.length; i++) {
      table.indexes()[i].encoder().build(image, key);
      entries[i].add(key.bytes, key.length, cvt);
    }
  }

  /** The primary index has an entry for each row, which is added before the row is visible. */
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

  @FunctionalInterface
  private interface EntryRule {
    boolean keeps(byte[] key, int length, long cvt);
  }

  /**
   * Checks a row that the primary index leads to, and the hash index does not. It must be
   * uncommitted or deleted, and its CVT must show this.
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
          "a row is in one index, but not in the other cvt=" + PoolAddress.toString(cvt));
    }
  }

  /**
   * Removes entries that lead to no row.
   *
   * @param expected number of entries that must remain; otherwise the index is rebuilt
   */
  private void sweep(IndexStore index, long expected, EntryRule rule) {
    int mark = channel.mark();
    try {
      sweepSound(index, expected, rule);
    } catch (DamagedPageException e) {
      channel.flush(); // flush the verbs that were posted before
      channel.release(mark);
      LOG.warn("rebuilding an index of table {}: {}", table.schema().name(), e.getMessage());
      giveUp(index);
    }
  }

  /** The index's memory that was found before stays in use until the next recovery. */
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
          "rebuilding an index of table {}, which has {} entries of {} rows",
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
   * In a pool of several memory nodes an entry may also lead to memory that was to become a CVT
   * when its writer failed, since the entry may have been written first.
   */
  private void requireCvt(long cvt, int at) {
    if (live.nodeCount() == 1 && !CvtLayout.isOf(staging, at, table.id(), table.versions())) {
      throw new IllegalStateException("an index points to no row cvt=" + PoolAddress.toString(cvt));
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
