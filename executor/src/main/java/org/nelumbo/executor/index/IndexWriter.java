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
 * Maintains the indexes for the writes of a transaction. Entries are hints: they are added under
 * the row's write lock, and the visible record of the row decides whether they are valid. They are
 * added when the statement runs or, on a remote fabric, somewhat later ({@link PendingEntries}).
 * Not thread-safe.
 */
public final class IndexWriter {
  private final Channel channel;
  private final PoolAllocator allocator;
  private final ReadView view;
  private final KeyLocks locks;
  private final IndexJournal journal;
  private final UniqueCheck unique;

  private final IndexTrees trees;

  /** Entries to be added later, where round trips are expensive. */
  private final PendingEntries pending;

  private final boolean remote;
  private final CriticalSection critical;

  private UniqueKeyReservations reservations;

  private final EntryRemovals removals;
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
    this.removals = trees.newRemovals();
  }

  /** Returns the reservations of unique values for many rows. Only for remote fabrics. */
  public UniqueKeyReservations reservations() {
    if (reservations == null) {
      reservations = new UniqueKeyReservations(channel, view, locks, trees, pending);
    }
    return reservations;
  }

  /**
   * Returns the unique index that made the last call return DUPLICATE, or null if it was the
   * primary key.
   */
  public IndexStore violated() {
    return violated;
  }

  /** Resets {@link #violated} to null. */
  public void clearViolated() {
    violated = null;
  }

  /**
   * Checks, before anything is done for a row, that its keys are short enough for the ordered
   * indexes.
   *
   * @throws NelumboException LIMIT_EXCEEDED if a key is too long
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
   * Adds a new CVT to the hash index and the ordered primary index, as far as the table has them.
   * Without a hash index, an entry of the ordered index that another insert of the row has left
   * gets the new address. Returns OK, CONFLICT, CANCELLED or EXHAUSTED.
   *
   * @param probe probe of the lookup that did not find the row, see {@link
   *     HashIndex#lookupForInsert}
   */
  public Outcome addRow(TableStore table, KeyBuffer key, long cvt, HashProbe probe) {
    Outcome status = table.hash() == null ? Outcome.OK : addToHash(table, key.lotusKey, cvt, probe);
    if (status != Outcome.OK || table.primary() == null) {
      return status;
    }
    return trees.outcome(trees.insert(table.primary(), key, cvt));
  }

  /**
   * Ensures that the ordered primary index has an entry for the CVT of a deleted row that the hash
   * index refers to. In a shared pool the entry may be missing, because another compute node failed
   * while it was removing the row. The caller holds the row's write lock, so that no other thread
   * removes the entry. Returns OK, CONFLICT, CANCELLED or EXHAUSTED.
   */
  public Outcome restoreEntry(TableStore table, KeyBuffer key, long cvt) {
    IndexStore primary = table.primary();
    if (primary == null
        || table.hash() == null
        || !locks.isShared()
        || primary.tree().get(channel, key.bytes, key.length) == cvt) {
      return Outcome.OK;
    }
    return trees.outcome(trees.insert(primary, key, cvt));
  }

  /**
   * Adds a new CVT to the hash index only. Waits for scans of a table without an ordered index.
   * Returns OK, CONFLICT, CANCELLED or EXHAUSTED.
   *
   * @param probe probe as for {@link #addRow}; null if there was no such lookup
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

  /**
   * Adds the secondary entries of a new row. Returns OK, DUPLICATE, CONFLICT, CANCELLED or
   * EXHAUSTED.
   */
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

  /**
   * Adds the secondary entries that a changed row needs, and records those that the commit makes
   * stale.
   */
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
   * Records the entries that the commit of a deletion makes stale, and locks the unique values that
   * become free.
   *
   * @param own true if the deleted row was written by this transaction
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
   * Records the stale entries of a deleted version whose CVT is reused by a new row. Entries that
   * the new row has as well stay valid.
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

  /** Releases the state of a transaction that ends, and with it its locks. */
  public void end() {
    if (reservations != null) {
      reservations.clear();
    }
  }

  /** Returns the length of the journal, for {@link #rollbackTo}. */
  public int mark() {
    return journal.size();
  }

  /**
   * Removes the entries added since a position of the journal, with shared round trips, and
   * truncates the journal.
   */
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
        removals.add(channel, tree, newKey.bytes, newKey.length, journal.cvt(i));
      }
    }
    removals.run(channel);
    leaveRefused(mark);
    journal.truncate(mark);
  }

  private void leaveRefused(int mark) {
    for (int i = mark; i < journal.size() && removals.isAnyRefused(); i++) {
      if (journal.kind(i) == IndexJournal.ADDED && removals.isRefused(journal.cvt(i))) {
        journal.key(i, newKey);
        trees.leaveEntry(journal.index(i), newKey, journal.lotusKey(i), journal.cvt(i));
      }
    }
  }
}
