package org.nelumbo.executor.insert;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.hash.HashProbe;
import org.nelumbo.dm.index.tree.EntryRemovals;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.index.IndexTrees;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.version.CvtWriter;

/**
 * Takes rows out again that their transaction has made itself and does not leave behind, together,
 * so that each step takes as many round trips for all of them as for one: take the entries out of
 * the ordered primary indexes, and look the rows up in the hash indexes; take them out there; mark
 * the CVTs as dead; retire the memory. Entries of secondary indexes have been taken out before
 * ({@code IndexWriter.rollbackTo}). The rows' write locks are held throughout.
 *
 * <p>A row need not be in its indexes: it may be that its insert has not come so far. Life: {@link
 * #begin}, {@link #add}, {@link #run}. Reusable; not thread-safe.
 */
public final class InsertUndo {
  /** How many rows are taken out together. */
  private static final int ROWS_MAX = 64;

  private final Channel channel;
  private final PoolAllocator allocator;
  private final Clock clock;
  private final CvtWriter cvts;
  private final IndexTrees trees;

  private final CvtCache cache;
  private final EntryRemovals entries = new EntryRemovals();
  private final Row[] rows = new Row[ROWS_MAX];
  private int count;

  /** A row that is taken out. */
  private static final class Row {
    private final HashProbe probe = new HashProbe();
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
  }

  /** Starts anew, whatever has ended the last one. */
  public void begin() {
    count = 0;
    entries.clear();
  }

  /**
   * Takes a row out, now or with the next ones; {@link #run} sees to the last. The key is copied.
   *
   * @param sizeClass of the CVT's memory
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
    if (table.primary() != null) {
      entries.add(channel, allocator, trees.changing(table.primary()), key, length, cvt);
    }
  }

  /** Takes out what was added and is not out yet. */
  public void run() {
    if (count == 0) {
      return;
    }
    int mark = channel.mark();
    postLookups();
    entries.run(channel, allocator);
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
      row.table.hash().postLookup(channel, row.lotusKey, row.probe);
    }
  }

  /**
   * An entry that is not in the window is in an overflow block, say, or nowhere: looks on its own.
   */
  private void removeFromHash() {
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      row.ticket = row.table.hash().postRemove(channel, row.lotusKey, row.cvt, row.probe);
    }
    channel.flush();
    for (int i = 0; i < count; i++) {
      Row row = rows[i];
      row.table.hash().finishRemove(channel, row.lotusKey, row.cvt, row.ticket, row.probe);
      cache.remove(row.lotusKey);
    }
  }

  /** Only entries of secondary indexes may go on pointing to a CVT. */
  private void writeDead() {
    for (int i = 0; i < count; i++) {
      if (rows[i].table.indexes().length > 0) {
        cvts.postDead(rows[i].cvt);
      }
    }
    channel.flush();
  }

  /** The timestamp is drawn when no index leads here any more: whoever pins later finds nothing. */
  private void retire() {
    long now = clock.read(channel);
    for (int i = 0; i < count; i++) {
      allocator.retire(rows[i].cvt, rows[i].sizeClass, now);
      rows[i].table = null;
    }
  }
}
