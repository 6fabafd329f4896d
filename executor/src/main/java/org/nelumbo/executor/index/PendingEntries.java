package org.nelumbo.executor.index;

import org.nelumbo.dm.index.tree.EntryRun;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.context.ChangeTracker;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;

/**
 * Adds the pending secondary index entries of a transaction. On a remote fabric entries wait in the
 * {@link IndexJournal}, so that the entries of several statements share their round trips. They are
 * added before the transaction scans a range that contains one of them, checks one of their unique
 * values or commits, and when there are too many.
 *
 * <p>Other transactions do not miss a pending entry: the row and its unique value are write-locked,
 * and a transaction that scans the leaf before the entry is added holds a lock on it, which the
 * insert respects. Not thread-safe.
 */
public final class PendingEntries {
  private static final int MOST = 256;

  private final ChangeTracker changes;
  private final CriticalSection critical;
  private final Channel channel;
  private final IndexJournal journal;
  private final IndexTrees trees;
  private final LeafGroups groups;
  private final ValueLocks values;
  private final KeyBuffer key = new KeyBuffer();

  public PendingEntries(
      CoordinatorContext context, KeyLocks locks, IndexTrees trees, IndexJournal journal) {
    this.changes = context.changes();
    this.critical = context.critical();
    this.channel = context.channel();
    this.trees = trees;
    this.journal = journal;
    this.groups = new LeafGroups(context, locks, trees);
    this.values = new ValueLocks(locks);
  }

  /**
   * Adds an entry to the pending ones. Returns OK, or the reason why pending entries could not be
   * added to their indexes to make room, see {@link #flush}.
   */
  Outcome add(IndexStore index, KeyBuffer entryKey, long lotusKey, long cvt) {
    Outcome status = journal.pending() < MOST ? Outcome.OK : flush();
    if (status == Outcome.OK) {
      journal.add(index, entryKey, lotusKey, cvt, IndexJournal.PENDING);
    }
    return status;
  }

  /**
   * Adds all pending entries to their indexes if one of them is in a range that is about to be
   * scanned, bounds included; a bound of length 0 is open. Returns OK, CONFLICT, CANCELLED or
   * EXHAUSTED.
   */
  public Outcome flushRange(
      IndexStore index, byte[] low, int lowLength, byte[] high, int highLength) {
    boolean due = journal.pending() > 0 && isWithin(index, low, lowLength, high, highLength);
    return due ? flush() : Outcome.OK;
  }

  private boolean isWithin(
      IndexStore index, byte[] low, int lowLength, byte[] high, int highLength) {
    for (int i = journal.firstPending(); i < journal.size(); i++) {
      if (journal.kind(i) == IndexJournal.PENDING
          && journal.index(i) == index
          && journal.isWithin(i, low, lowLength, high, highLength)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds all pending entries to their indexes if one of them has the value that the key of a unique
   * index's entry begins with. Returns OK, CONFLICT, CANCELLED or EXHAUSTED.
   */
  Outcome flushValue(IndexStore index, KeyBuffer entryKey, int prefix) {
    boolean due = journal.pending() > 0 && hasValue(index, entryKey, prefix);
    return due ? flush() : Outcome.OK;
  }

  private boolean hasValue(IndexStore index, KeyBuffer entryKey, int prefix) {
    for (int i = journal.firstPending(); i < journal.size(); i++) {
      if (journal.kind(i) == IndexJournal.PENDING
          && journal.index(i) == index
          && journal.beginsWith(i, entryKey, prefix)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds all pending entries to their indexes. Returns OK, CONFLICT, CANCELLED or EXHAUSTED; if not
   * OK, some entries may still be pending.
   */
  public Outcome flush() {
    return journal.pending() > 0 ? addPending() : Outcome.OK;
  }

  private Outcome addPending() {
    Outcome entered = enterValues();
    if (entered != Outcome.OK) {
      return entered;
    }
    Outcome status = addAll();
    values.leave();
    return status;
  }

  private Outcome enterValues() {
    for (int i = journal.firstPending(); i < journal.size(); i++) {
      if (journal.kind(i) == IndexJournal.PENDING) {
        journal.key(i, key);
        values.add(journal.index(i), key);
      }
    }
    return values.enter();
  }

  private Outcome addAll() {
    changes.begin();
    try {
      critical.begin();
      Outcome status = addShares();
      critical.end();
      changes.end();
      return status;
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  private Outcome addShares() {
    Outcome status = Outcome.OK;
    while (status == Outcome.OK && journal.pending() > 0) {
      int mark = channel.mark();
      shareOut();
      groups.postLatches();
      channel.flush();
      postEntries();
      channel.flush();
      groups.leave();
      channel.release(mark);
      status = finish();
    }
    return status;
  }

  private void shareOut() {
    groups.clear();
    for (int i = journal.firstPending(); i < journal.size(); i++) {
      if (journal.kind(i) == IndexJournal.PENDING) {
        IndexStore index = journal.index(i);
        journal.key(i, key);
        LeafGroups.Group group =
            groups.of(index, index.tree().leaf(channel, key.bytes, key.length));
        if (group != null) {
          group.add(i);
        }
      }
    }
  }

  private void postEntries() {
    for (int i = 0; i < groups.count(); i++) {
      LeafGroups.Group group = groups.get(i);
      for (int j = 0; j < group.size; j++) {
        int entry = group.items[j];
        journal.key(entry, key);
        group.insert.run().add(key.bytes, key.length, journal.cvt(entry));
      }
    }
    groups.postEntries();
  }

  private Outcome finish() {
    Outcome status = Outcome.OK;
    for (int i = 0; i < groups.count(); i++) {
      LeafGroups.Group group = groups.get(i);
      if (status == Outcome.OK) {
        status = trees.finish(group.insert);
      }
      note(group);
    }
    return status;
  }

  private void note(LeafGroups.Group group) {
    EntryRun run = group.insert.run();
    for (int j = 0; j < group.size; j++) {
      switch (run.result(j)) {
        case IndexResult.INSERTED -> journal.resolve(group.items[j], IndexJournal.ADDED);
        case IndexResult.PRESENT -> journal.resolve(group.items[j], IndexJournal.PRESENT);
        default -> {
          // stays pending
        }
      }
    }
  }
}
