package org.nelumbo.executor.insert;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.hash.HashProbe;
import org.nelumbo.dm.index.tree.EntryRemovals;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.index.IndexTrees;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.version.CvtWriter;

/**
 * Removes rows that their own transaction has inserted and does not keep. Each step takes as many
 * round trips for all rows as for one:
 *
 * <ol>
 *   <li>Remove the entries from the ordered primary indexes, and look up the rows in the hash
 *       indexes.
 *   <li>Remove the rows from the hash indexes.
 *   <li>Mark the CVTs as dead.
 *   <li>Retire the memory. A CVT that an entry still leads to, since the leaf was not available, is
 *       left to garbage collection.
 * </ol>
 *
 * <p>Secondary index entries have been removed before ({@code IndexWriter.rollbackTo}). The rows'
 * write locks are held throughout. A row need not be in its indexes, because its insert may not
 * have been completed.
 *
 * <p>Order of calls: {@link #begin}, {@link #add}, {@link #run}. Reusable; not thread-safe.
 */
public final class InsertUndo {
  private static final int ROWS_MAX = 64;

  private final Channel channel;
  private final PoolAllocator allocator;
  private final Clock clock;
  private final CvtWriter cvts;
  private final IndexTrees trees;

  private final CvtCache cache;
  private final EntryRemovals entries;
  private final Row[] rows = new Row[ROWS_MAX];
  private int count;

  private static final class Row {
    private final HashProbe probe = new HashProbe();
    private final KeyBuffer key = new KeyBuffer();
    private TableStore table;
    private long lotusKey;
    private long cvt;
    private int sizeClass;
    private int ticket;
  }

  public InsertUndo(CoordinatorContext context, IndexTrees trees) {
    this.channel = context.channel();
    this.allocator = context.allocator();
    this.clock = context.clock();
    this.cache = context.caches().cvts();
    this.cvts = new CvtWriter(channel);
    this.trees = trees;
    this.entries = trees.newRemovals();
  }

  /** Starts a new set of rows, even if the previous one was not completed. */
  public void begin() {
    count = 0;
    entries.clear();
  }

  /**
   * Adds a row, which is removed now or together with later ones; {@link #run} removes the last
   * ones. The key is copied.
   *
   * @param sizeClass size class of the CVT's block
   */
  public void add(
      TableStore table, byte[] key, int length, long lotusKey, long cvt, int sizeClass) {
    assert cvt != PoolAddress.NULL : "a row without a CVT";
    if (count == ROWS_MAX) {
      run();
    }
    if (rows[count] == null) {
      rows[count] = new Row();
    }
    Row row = rows[count++];
    row.table = table;
    row.lotusKey = lotusKey;
    row.cvt = cvt;
    row.sizeClass = sizeClass;
    row.key.clear();
    row.key.append(key, 0, length);
    if (table.primary() != null) {
      entries.add(channel, trees.changing(table.primary()), key, length, cvt);
    }
  }

  /** Removes the rows that were added and have not been removed yet. */
  public void run() {
    if (count == 0) {
      return;
    }
    int mark = channel.mark();
    postLookups();
    entries.run(channel);
    channel.flush();
    removeFromHash();
    writeDead();
    channel.release(mark);
    retire();
    count = 0;
  }

  private void postLookups() {
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      if (row.table.hash() != null) {
        row.table.hash().postLookup(channel, row.lotusKey, row.probe);
      }
    }
  }

  /**
   * An entry that is not in the window, but for example in an overflow block, is searched for
   * individually.
   */
  private void removeFromHash() {
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      if (row.table.hash() != null) {
        row.ticket = row.table.hash().postRemove(channel, row.lotusKey, row.cvt, row.probe);
      }
    }
    channel.flush();
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      if (row.table.hash() != null) {
        row.table.hash().finishRemove(channel, row.lotusKey, row.cvt, row.ticket, row.probe);
      }
      cache.remove(row.lotusKey);
    }
  }

  /**
   * Secondary index entries may still refer to the CVTs, and garbage of earlier rows at the same
   * addresses; without a hash index, only the CVT tells the collector that the row is gone.
   */
  private void writeDead() {
    for (int i = 0; i < count; i++) {
      if (rows[i].table.indexes().length > 0
          || rows[i].table.hash() == null
          || entries.isRefused(rows[i].cvt)) {
        cvts.postDead(rows[i].cvt);
      }
    }
    channel.flush();
  }

  /**
   * The timestamp is taken after all indexes have been cleaned, so a reader that pins later cannot
   * find the rows.
   */
  private void retire() {
    long now = clock.retirement(channel);
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      if (!trees.leaveRow(entries, row.table, row.key, row.lotusKey, row.cvt, row.sizeClass)) {
        allocator.retire(row.cvt, row.sizeClass, now);
      }
      row.table = null;
    }
  }
}
