package org.nelumbo.executor.insert;

import java.util.function.IntConsumer;
import org.nelumbo.dm.index.tree.EntryRun;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.index.IndexJournal;
import org.nelumbo.executor.index.IndexTrees;
import org.nelumbo.executor.index.LeafGroups;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;

/**
 * Adds the entries of new rows, whose unique values are free, to ordered indexes. Several leaves
 * share their round trips with each other and, the first ones, with the hash index; see {@link
 * LeafGroups} for the steps. On a local fabric, where round trips cost almost nothing, each index
 * gets its entries individually, and leaves are not located in advance. Not thread-safe.
 */
final class IndexEntryInserter {
  /** Ordinal of the primary index, before those of the table's secondary indexes. */
  private static final int PRIMARY = -1;

  private final Channel channel;
  private final IndexTrees trees;
  private final IndexJournal journal;
  private final boolean remote;
  private final LeafGroups groups;
  private final IntConsumer present;
  private final KeyBuffer key = new KeyBuffer();

  private NewRows rows;
  private int end;

  /** The next row, index ordinal, and range of rows of one table to process. */
  private int row;

  private int ordinal;
  private int tableFrom;
  private int tableEnd;

  /** True if the key of a row without an entry in a hash index was found when it was added. */
  private boolean isCollided;

  /**
   * Creates an inserter.
   *
   * @param present receives each row of a table without a hash index whose key has an entry
   *     already; it must no longer be placed afterwards
   */
  IndexEntryInserter(
      CoordinatorContext context,
      KeyLocks locks,
      IndexTrees trees,
      IndexJournal journal,
      IntConsumer present) {
    this.present = present;
    this.channel = context.channel();
    this.trees = trees;
    this.journal = journal;
    this.remote = context.caches().isRemote();
    this.groups = new LeafGroups(context, locks, trees);
  }

  /** Posts the latches of the first leaves that placed rows belong to. */
  void begin(NewRows newRows, int from, int to) {
    rows = newRows;
    end = to;
    isCollided = false;
    beginTable(from);
    postLatches();
  }

  private void beginTable(int from) {
    tableFrom = from;
    tableEnd = from < end ? rows.endOfTable(from, end) : from;
    ordinal = PRIMARY;
    row = from;
  }

  private void postLatches() {
    groups.clear();
    while (tableFrom < end && shareOut()) {
      if (++ordinal < rows.table(tableFrom).indexes().length) {
        row = tableFrom;
      } else {
        beginTable(tableEnd);
      }
    }
    if (remote) {
      groups.postLatches();
    }
  }

  private boolean shareOut() {
    IndexStore index =
        ordinal == PRIMARY
            ? rows.table(tableFrom).primary()
            : rows.table(tableFrom).indexes()[ordinal];
    if (index == null) {
      return true; // a table without an ordered primary index
    }
    LeafGroups.Group group = null;
    for (; row < tableEnd; row++) {
      if (rows.isPlaced(row)) {
        group = group != null && !remote ? group : groups.of(index, leafOf(index));
        if (group == null) {
          return false;
        }
        group.add(row);
      }
    }
    return true;
  }

  private long leafOf(IndexStore index) {
    if (!remote) {
      return PoolAddress.NULL;
    }
    KeyBuffer of = keyOf(index, row);
    return index.tree().leaf(channel, of.bytes, of.length);
  }

  private KeyBuffer keyOf(IndexStore index, int of) {
    if (index.isPrimary()) {
      return rows.key(of);
    }
    index.encoder().build(rows.image(of), key);
    return key;
  }

  /** After the caller's flush: posts the entries of the rows that still have a CVT. */
  void postEntries() {
    for (int i = 0; i < groups.count(); i++) {
      addEntries(groups.get(i));
    }
    groups.postEntries();
  }

  private void addEntries(LeafGroups.Group group) {
    int placed = 0;
    if (isOnlyIndex(group)) {
      group.insert.run().keepPresent();
      findPresent(group);
    }
    for (int j = 0; j < group.size; j++) {
      int of = group.items[j];
      if (rows.isPlaced(of)) {
        KeyBuffer entry = keyOf(group.index, of);
        group.insert.run().add(entry.bytes, entry.length, rows.cvt(of));
        group.items[placed++] = of;
      }
    }
    group.size = placed;
  }

  /** Returns true if the uniqueness of keys depends on the index of a group. */
  private static boolean isOnlyIndex(LeafGroups.Group group) {
    return group.index.isPrimary() && group.index.table().hash() == null;
  }

  /** The groups of primary indexes come before those of the other indexes of their rows. */
  private void findPresent(LeafGroups.Group group) {
    for (int j = 0; j < group.size; j++) {
      int of = group.items[j];
      KeyBuffer entry = rows.key(of);
      if (rows.isPlaced(of) && groups.contains(group, entry)) {
        present.accept(of);
      }
    }
  }

  /**
   * Returns true, after {@link #finish}, if a row of a table without a hash index was not added
   * because an entry has its key already. This was not found in time since its leaf was latched, or
   * was another one: then all rows of the batch have to be removed.
   */
  boolean isCollided() {
    return isCollided;
  }

  /**
   * After the next flush: adds the missing entries. Returns OK, CONFLICT, CANCELLED or EXHAUSTED.
   */
  Outcome finish() {
    groups.leave();
    Outcome status = finishPosted();
    while (status == Outcome.OK && tableFrom < end) {
      int mark = channel.mark();
      postLatches();
      channel.flush();
      postEntries();
      channel.flush();
      groups.leave();
      channel.release(mark);
      status = finishPosted();
    }
    return status;
  }

  /** One group after the other, so that at most one leaf is guarded at a time. */
  private Outcome finishPosted() {
    Outcome status = Outcome.OK;
    for (int i = 0; i < groups.count(); i++) {
      LeafGroups.Group group = groups.get(i);
      if (status == Outcome.OK) {
        status = trees.finish(group.insert);
      }
      if (isOnlyIndex(group)) {
        noteCollisions(group.insert.run());
      }
      if (!group.index.isPrimary()) {
        noteAdded(group);
      }
    }
    return status;
  }

  private void noteCollisions(EntryRun entries) {
    for (int j = 0; j < entries.size(); j++) {
      isCollided |= entries.result(j) == IndexResult.PRESENT;
    }
  }

  /** Added entries have to be removed if the transaction aborts. */
  private void noteAdded(LeafGroups.Group group) {
    EntryRun entries = group.insert.run();
    for (int j = 0; j < group.size; j++) {
      journal.noteAdded(group.index, entries, j, rows.lotusKey(group.items[j]));
    }
  }
}
