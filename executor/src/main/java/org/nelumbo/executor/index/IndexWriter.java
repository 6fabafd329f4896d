package org.nelumbo.executor.index;

import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.hash.HashProbe;
import org.nelumbo.dm.index.tree.EntryRemovals;
import org.nelumbo.dm.index.tree.EntryRun;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.index.tree.LatchedInsert;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.index.tree.PrefetchedLeaves;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.lock.LockAcquirer;
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
  private final LockAcquirer locks;
  private final IndexJournal journal;
  private final UniqueCheck unique;

  /** Null on a local fabric, where there are no round trips to be shared. */
  private final PendingEntries pending;

  /** Null if none are ever read ahead. */
  private final PrefetchedLeaves leaves;

  /** Made when it is first wanted. */
  private UniqueKeyReservations reservations;

  private final EntryRemovals removals = new EntryRemovals();
  private final KeyBuffer newKey = new KeyBuffer();
  private final KeyBuffer oldKey = new KeyBuffer();
  private IndexStore violated;

  public IndexWriter(
      Coordinator coordinator,
      ReadView view,
      LockAcquirer locks,
      IndexJournal journal,
      UniqueCheck unique,
      PrefetchedLeaves leaves) {
    this.channel = coordinator.channel();
    this.allocator = coordinator.allocator();
    this.view = view;
    this.locks = locks;
    this.journal = journal;
    this.unique = unique;
    this.leaves = leaves;
    this.pending = leaves == null ? null : new PendingEntries(coordinator, locks, journal, this);
  }

  /** The tree of an index that is about to be changed. */
  public OrderedIndex changing(IndexStore index) {
    if (leaves != null) {
      leaves.forget(index.tree());
    }
    return index.tree();
  }

  /** Values of unique indexes that many rows are going to get; not on a local fabric. */
  public UniqueKeyReservations reservations() {
    if (reservations == null) {
      reservations = new UniqueKeyReservations(channel, view, locks, this);
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
  public int addRow(TableStore table, KeyBuffer key, long cvt, HashProbe probe) {
    int status = addToHash(table, key.lotusKey, cvt, probe);
    if (status != Outcome.OK || table.primary() == null) {
      return status;
    }
    return status(
        changing(table.primary()).insert(channel, allocator, key.bytes, key.length, cvt, locks));
  }

  /**
   * Ends an insert of entries whose values may be there: adds what is missing. Returns OK,
   * CONFLICT, CANCELLED or EXHAUSTED.
   */
  public int finish(LatchedInsert insert) {
    return status(insert.finish(channel, allocator, locks));
  }

  /** Notes entry {@code i} of a secondary index, if it was added. */
  public void noteAdded(IndexStore index, EntryRun run, int i, long lotusKey) {
    if (run.result(i) == IndexResult.INSERTED) {
      newKey.clear();
      newKey.append(run.key(i), 0, run.length(i));
      journal.add(index, newKey, lotusKey, run.value(i), IndexJournal.ADDED);
    }
  }

  /**
   * Puts a new CVT into the hash index alone. Returns OK, CONFLICT, CANCELLED or EXHAUSTED; waits
   * for scans of a table without ordered index.
   *
   * @param probe as for {@link #addRow}; null if there was no such lookup
   */
  public int addToHash(TableStore table, long lotusKey, long cvt, HashProbe probe) {
    boolean ordered = table.primary() != null;
    if (!ordered && !locks.enterInsert(table.scanLockKey())) {
      return locks.failure();
    }
    boolean added = table.hash().insert(channel, allocator, lotusKey, cvt, probe);
    if (!ordered) {
      locks.exitInsert(table.scanLockKey());
    }
    return added ? Outcome.OK : Outcome.EXHAUSTED;
  }

  /** Adds the secondary entries of a row that comes into being. Returns also DUPLICATE. */
  public int addEntries(TableStore table, RowBuffer image, long lotusKey, long cvt) {
    for (IndexStore index : table.indexes()) {
      index.encoder().build(image, newKey);
      int status = addEntry(index, image, lotusKey, cvt);
      if (status != Outcome.OK) {
        return status;
      }
    }
    return Outcome.OK;
  }

  /** Adds the entries that a changed row needs, and notes those that its commit makes stale. */
  public int changeEntries(
      TableStore table, RowBuffer oldImage, RowBuffer newImage, long lotusKey, long cvt) {
    for (IndexStore index : table.indexes()) {
      index.encoder().build(oldImage, oldKey);
      index.encoder().build(newImage, newKey);
      if (sameKey()) {
        continue;
      }
      int status = releaseValue(index, oldImage);
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
  public int dropEntries(
      TableStore table, RowBuffer oldImage, long lotusKey, long cvt, boolean own) {
    byte kind =
        own || table.versions() == 1 ? IndexJournal.STALE : IndexJournal.STALE_UNLESS_DELETED;
    for (IndexStore index : table.indexes()) {
      index.encoder().build(oldImage, oldKey);
      int status = releaseValue(index, oldImage);
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

  private int releaseValue(IndexStore index, RowBuffer oldImage) {
    return index.schema().unique() ? unique.lockValue(index, oldKey, oldImage) : Outcome.OK;
  }

  private int addEntry(IndexStore index, RowBuffer image, long lotusKey, long cvt) {
    if (index.schema().unique()) {
      int status = checkUnique(index, image, cvt);
      if (status != Outcome.OK) {
        return status;
      }
    }
    if (pending != null) {
      return pending.add(index, newKey, lotusKey, cvt);
    }
    int inserted =
        changing(index).insert(channel, allocator, newKey.bytes, newKey.length, cvt, locks);
    if (inserted == IndexResult.INSERTED) {
      journal.add(index, newKey, lotusKey, cvt, IndexJournal.ADDED);
    }
    return status(inserted);
  }

  private int checkUnique(IndexStore index, RowBuffer image, long cvt) {
    if (index.encoder().hasNull(image.bytes, image.offset)) {
      return Outcome.OK;
    }
    int prefix = index.encoder().prefixLength(newKey.bytes, 0);
    int status = flushPendingValue(index, newKey, prefix);
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

  private int status(int inserted) {
    return switch (inserted) {
      case IndexResult.CONFLICT -> locks.failure();
      case IndexResult.EXHAUSTED -> Outcome.EXHAUSTED;
      default -> Outcome.OK;
    };
  }

  /**
   * Adds the entries that are still to be added, if one of them belongs into a range, bounds
   * included, that is going to be scanned; a bound of length 0 is open. OK, CONFLICT, CANCELLED or
   * EXHAUSTED.
   */
  public int flushPending(
      IndexStore index, byte[] low, int lowLength, byte[] high, int highLength) {
    boolean due =
        journal.pending() > 0 && pending.isWithin(index, low, lowLength, high, highLength);
    return due ? pending.flush() : Outcome.OK;
  }

  /**
   * Adds the pending entries if one of them has the value with which this entry key of a unique
   * index begins.
   */
  int flushPendingValue(IndexStore index, KeyBuffer entryKey, int prefix) {
    boolean due = journal.pending() > 0 && pending.hasValue(index, entryKey, prefix);
    return due ? pending.flush() : Outcome.OK;
  }

  /** Adds all entries that are still to be added: OK, CONFLICT, CANCELLED or EXHAUSTED. */
  public int flushPending() {
    return journal.pending() > 0 ? pending.flush() : Outcome.OK;
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
    removals.clear();
    for (int i = journal.size() - 1; i >= mark; i--) {
      if (journal.kind(i) == IndexJournal.ADDED) {
        journal.key(i, newKey);
        OrderedIndex tree = changing(journal.index(i));
        removals.add(channel, allocator, tree, newKey.bytes, newKey.length, journal.cvt(i));
      }
    }
    removals.run(channel, allocator);
    journal.truncate(mark);
  }
}
