package org.nelumbo.executor.index;

import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.hash.HashProbe;
import org.nelumbo.dm.index.tree.EntryRemovals;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.ReadView;

/**
 * Keeps the indexes in step with a transaction's writes. Entries are hints: they are added under
 * the row's write lock, when the statement runs or, on a remote fabric, a little later ({@link
 * PendingEntries}), and the visible record decides whether they mean anything. Not thread-safe.
 */
public final class IndexWriter {
  private final Channel channel;
  private final PoolAllocator allocator;
  private final ReadView view;
  private final KeyLocks locks;
  private final IndexJournal journal;
  private final UniqueCheck unique;

  private final IndexTrees trees;

  /** Entries wait here where round trips are expensive. */
  private final PendingEntries pending;

  private final boolean remote;
  private final CriticalSection critical;

  /** Made when it is first wanted. */
  private UniqueKeyReservations reservations;

  private final EntryRemovals removals = new EntryRemovals();
  private final KeyBuffer newKey = new KeyBuffer();
  private final KeyBuffer oldKey = new KeyBuffer();
  private IndexStore violated;

  public IndexWriter(
      CoordinatorContext context,
      ReadView view,
      KeyLocks locks,
      IndexTrees trees,
      IndexJournal journal,
      PendingEntries pending,
      UniqueCheck unique) {
    this.channel = context.channel();
    this.allocator = context.allocator();
    this.remote = context.caches().isRemote();
    this.critical = context.critical();
    this.view = view;
    this.locks = locks;
    this.trees = trees;
    this.journal = journal;
    this.pending = pending;
    this.unique = unique;
  }

  /** Values of unique indexes that many rows are going to get; not on a local fabric. */
  public UniqueKeyReservations reservations() {
    if (reservations == null) {
      reservations = new UniqueKeyReservations(channel, view, locks, trees, pending);
    }
    return reservations;
  }

  /** The unique index that made the last call return DUPLICATE; null if it was the primary key. */
  public IndexStore violated() {
    return violated;
  }

  public void clearViolated() {
    violated = null;
  }

  /**
   * Refuses a row with a key that is too long for an ordered index; before anything is done for it.
   *
   * @throws NelumboException LIMIT_EXCEEDED
   */
  public void requireKeysFit(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    if (table.primary() != null) {
      table.primary().requireFits(rowKey.length);
    }
    for (IndexStore index : table.indexes()) {
      index.requireFits(image, newKey);
    }
  }

  /**
   * Puts a new CVT into the hash index and the ordered primary index. Returns OK, CONFLICT,
   * CANCELLED or EXHAUSTED.
   *
   * @param probe of the lookup that did not find the row, see {@link HashIndex#lookupForInsert}
   */
  public Outcome addRow(TableStore table, KeyBuffer key, long cvt, HashProbe probe) {
    Outcome status = addToHash(table, key.lotusKey, cvt, probe);
    if (status != Outcome.OK || table.primary() == null) {
      return status;
    }
    return trees.outcome(trees.insert(table.primary(), key, cvt));
  }

  /**
   * Makes sure that the ordered primary index leads to the CVT of a deleted row, to which the hash
   * index leads. It may not, if others have the pool, too: one that was removing the row may have
   * died in the middle of that. The caller holds the row's write lock, so that nobody removes the
   * entry meanwhile. Returns OK, CONFLICT, CANCELLED or EXHAUSTED.
   */
  public Outcome restoreEntry(TableStore table, KeyBuffer key, long cvt) {
    IndexStore primary = table.primary();
    if (primary == null
        || !locks.isShared()
        || primary.tree().get(channel, key.bytes, key.length) == cvt) {
      return Outcome.OK;
    }
    return trees.outcome(trees.insert(primary, key, cvt));
  }

  /**
   * Puts a new CVT into the hash index alone. Returns OK, CONFLICT, CANCELLED or EXHAUSTED; waits
   * for scans of a table without ordered index.
   *
   * @param probe as for {@link #addRow}; null if there was no such lookup
   */
  public Outcome addToHash(TableStore table, long lotusKey, long cvt, HashProbe probe) {
    boolean ordered = table.primary() != null;
    if (!ordered && !locks.leafGuard().enterInsert(table.scanLockKey())) {
      return locks.failure();
    }
    boolean added;
    try {
      critical.begin();
      added = table.hash().insert(channel, allocator, lotusKey, cvt, probe);
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
    if (!ordered) {
      locks.leafGuard().exitInsert(table.scanLockKey());
    }
    return added ? Outcome.OK : Outcome.EXHAUSTED;
  }

  /** Adds the secondary entries of a row that comes into being. Returns also DUPLICATE. */
  public Outcome addEntries(TableStore table, RowBuffer image, long lotusKey, long cvt) {
    for (IndexStore index : table.indexes()) {
      index.encoder().build(image, newKey);
      Outcome status = addEntry(index, image, lotusKey, cvt);
      if (status != Outcome.OK) {
        return status;
      }
    }
    return Outcome.OK;
  }

  /** Adds the entries that a changed row needs, and notes those that its commit makes stale. */
  public Outcome changeEntries(
      TableStore table, RowBuffer oldImage, RowBuffer newImage, long lotusKey, long cvt) {
    for (IndexStore index : table.indexes()) {
      index.encoder().build(oldImage, oldKey);
      index.encoder().build(newImage, newKey);
      if (sameKey()) {
        continue;
      }
      Outcome status = releaseValue(index, oldImage);
      if (status == Outcome.OK) {
        status = addEntry(index, newImage, lotusKey, cvt);
      }
      if (status != Outcome.OK) {
        return status;
      }
      journal.add(index, oldKey, lotusKey, cvt, IndexJournal.STALE);
    }
    return Outcome.OK;
  }

  /**
   * Notes the entries that the commit of a deletion makes stale, and locks the unique values that
   * become free.
   *
   * @param own whether the row to be deleted is one that the transaction has written itself
   */
  public Outcome dropEntries(
      TableStore table, RowBuffer oldImage, long lotusKey, long cvt, boolean own) {
    byte kind =
        own || table.versions() == 1 ? IndexJournal.STALE : IndexJournal.STALE_UNLESS_DELETED;
    for (IndexStore index : table.indexes()) {
      index.encoder().build(oldImage, oldKey);
      Outcome status = releaseValue(index, oldImage);
      if (status != Outcome.OK) {
        return status;
      }
      journal.add(index, oldKey, lotusKey, cvt, kind);
    }
    return Outcome.OK;
  }

  /**
   * Notes the entries of a deleted version, in whose CVT the row comes into being again, unless it
   * has the same.
   */
  public void noteReplaced(
      TableStore table, RowBuffer deletedImage, RowBuffer newImage, long lotusKey, long cvt) {
    for (IndexStore index : table.indexes()) {
      index.encoder().build(deletedImage, oldKey);
      index.encoder().build(newImage, newKey);
      if (!sameKey()) {
        journal.add(index, oldKey, lotusKey, cvt, IndexJournal.STALE);
      }
    }
  }

  private boolean sameKey() {
    return Arrays.equals(oldKey.bytes, 0, oldKey.length, newKey.bytes, 0, newKey.length);
  }

  private Outcome releaseValue(IndexStore index, RowBuffer oldImage) {
    if (!index.schema().unique()) {
      return Outcome.OK;
    }
    trees.changing(index);
    return unique.lockValue(index, oldKey, oldImage);
  }

  private Outcome addEntry(IndexStore index, RowBuffer image, long lotusKey, long cvt) {
    if (index.schema().unique()) {
      Outcome status = checkUnique(index, image, cvt);
      if (status != Outcome.OK) {
        return status;
      }
    }
    if (remote) {
      return pending.add(index, newKey, lotusKey, cvt);
    }
    int inserted = trees.insertWithValue(index, newKey, cvt);
    if (inserted == IndexResult.INSERTED) {
      journal.add(index, newKey, lotusKey, cvt, IndexJournal.ADDED);
    }
    return trees.outcome(inserted);
  }

  private Outcome checkUnique(IndexStore index, RowBuffer image, long cvt) {
    if (index.encoder().hasNull(image.bytes, image.offset)) {
      return Outcome.OK;
    }
    trees.changing(index);
    int prefix = index.encoder().prefixLength(newKey);
    Outcome status = pending.flushValue(index, newKey, prefix);
    if (status == Outcome.OK) {
      UniqueKeyReservations.Reservation reservation =
          reservations == null ? null : reservations.take(index, newKey);
      status =
          reservation == null
              ? unique.check(index, newKey, image, cvt)
              : unique.check(reservation, index, newKey, cvt);
    }
    if (status == Outcome.DUPLICATE) {
      violated = index;
    }
    return status;
  }

  /** The transaction ends, and with it its locks. */
  public void end() {
    if (reservations != null) {
      reservations.clear();
    }
  }

  /** How long the journal is, for {@link #rollbackTo}. */
  public int mark() {
    return journal.size();
  }

  /** Takes out the entries added since a mark of the journal, together, and forgets them. */
  public void rollbackTo(int mark) {
    try {
      critical.begin();
      takeOut(mark);
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  private void takeOut(int mark) {
    removals.clear();
    for (int i = journal.size() - 1; i >= mark; i--) {
      if (journal.kind(i) == IndexJournal.ADDED) {
        journal.key(i, newKey);
        OrderedIndex tree = trees.changing(journal.index(i));
        removals.add(channel, allocator, tree, newKey.bytes, newKey.length, journal.cvt(i));
      }
    }
    removals.run(channel, allocator);
    journal.truncate(mark);
  }
}
