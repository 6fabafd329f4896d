package org.nelumbo.executor.txn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.index.tree.EntryRun;
import org.nelumbo.dm.index.tree.LatchedInsert;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;

/**
 * Adds the entries of new rows to ordered indexes, where nobody else has their unique values:
 * several leaves at a time, which share their round trips with each other and, the first ones, with
 * the hash index. See {@link LatchedInsert} for the steps. Where round trips are next to nothing,
 * each index gets its entries by itself, and no leaf is looked for in advance. Not thread-safe.
 */
final class EntryPlacement {
  /** Leaves that are latched together. */
  private static final int LEAVES_MAX = 16;

  /** Stands for the primary index among the indexes of a table. */
  private static final int PRIMARY = -1;

  private final Channel channel;
  private final LockAcquirer locks;
  private final IndexWriter indexWriter;
  private final boolean remote;
  private final KeyBuffer key = new KeyBuffer();
  private final List<Share> shares = new ArrayList<>();
  private int count;

  private NewRows rows;
  private int end;

  /** What comes next: a row, an index of its table, and the rows of that table. */
  private int row;

  private int ordinal;
  private int tableFrom;
  private int tableEnd;

  /** The rows whose entries go to one leaf, as far as is known. */
  private static final class Share {
    private final LatchedInsert insert = new LatchedInsert();
    private IndexStore index;
    private boolean primary;
    private int[] rows = new int[4];
    private int size;

    private void add(int row) {
      if (size == rows.length) {
        rows = Arrays.copyOf(rows, size * 4);
      }
      rows[size++] = row;
    }
  }

  EntryPlacement(Transaction transaction) {
    this.channel = transaction.coordinator().channel();
    this.locks = transaction.locks();
    this.indexWriter = transaction.indexWriter();
    this.remote = transaction.coordinator().engine().cvtCache() != null;
  }

  /** Posts the latches of the leaves that rows with a CVT go to first. */
  void begin(NewRows newRows, int from, int to) {
    rows = newRows;
    end = to;
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
    count = 0;
    while (tableFrom < end && shareOut()) {
      if (++ordinal < rows.table(tableFrom).indexes().length) {
        row = tableFrom;
      } else {
        beginTable(tableEnd);
      }
    }
    if (remote) {
      for (int i = 0; i < count; i++) {
        shares.get(i).insert.postLatch(channel, locks);
      }
    }
  }

  /** Deals out the rows to the leaves of one index; false if there were too many leaves. */
  private boolean shareOut() {
    IndexStore index =
        ordinal == PRIMARY
            ? rows.table(tableFrom).primary()
            : rows.table(tableFrom).indexes()[ordinal];
    Share share = null;
    for (; row < tableEnd; row++) {
      if (rows.isPlaced(row)) {
        share = share != null && !remote ? share : shareOf(index);
        if (share == null) {
          return false;
        }
        share.add(row);
      }
    }
    return true;
  }

  /** The share that the next row belongs to; null if there would be too many. */
  private Share shareOf(IndexStore index) {
    OrderedIndex tree = indexWriter.changing(index);
    long leaf = remote ? leafOf(index) : PoolAddress.NULL;
    for (int i = 0; i < count; i++) {
      if (shares.get(i).insert.isAt(tree, leaf)) {
        return shares.get(i);
      }
    }
    if (count == LEAVES_MAX) {
      return null;
    }
    if (count == shares.size()) {
      shares.add(new Share());
    }
    Share share = shares.get(count++);
    share.insert.begin(tree, leaf);
    share.index = index;
    share.primary = ordinal == PRIMARY;
    share.size = 0;
    return share;
  }

  private long leafOf(IndexStore index) {
    KeyBuffer of = keyOf(index, ordinal == PRIMARY, row);
    return index.tree().leaf(channel, of.bytes, of.length);
  }

  private KeyBuffer keyOf(IndexStore index, boolean primary, int of) {
    if (primary) {
      return rows.key(of);
    }
    index.encoder().build(rows.image(of), key);
    return key;
  }

  /** After the flush: posts entries of the rows that (still) have a CVT. */
  void postEntries() {
    for (int i = 0; i < count; i++) {
      Share share = shares.get(i);
      int placed = 0;
      for (int j = 0; j < share.size; j++) {
        int of = share.rows[j];
        if (rows.isPlaced(of)) {
          KeyBuffer entry = keyOf(share.index, share.primary, of);
          share.insert.run().add(entry.bytes, entry.length, rows.cvt(of));
          share.rows[placed++] = of;
        }
      }
      share.size = placed;
      share.insert.postEntries(channel, locks);
    }
  }

  /** After the next flush: adds what is missing. OK, CONFLICT, CANCELLED or EXHAUSTED. */
  int finish() {
    int status = finishPosted();
    while (status == Transaction.OK && tableFrom < end) {
      int mark = channel.mark();
      postLatches();
      channel.flush();
      postEntries();
      channel.flush();
      channel.release(mark);
      status = finishPosted();
    }
    return status;
  }

  /** Adds what is missing, one share after the other, in no leaf's guard but that of the one. */
  private int finishPosted() {
    for (int i = 0; i < count; i++) {
      shares.get(i).insert.leave(locks);
    }
    int status = Transaction.OK;
    for (int i = 0; i < count; i++) {
      Share share = shares.get(i);
      if (status == Transaction.OK) {
        status = indexWriter.finish(share.insert);
      }
      if (!share.primary) {
        journal(share);
      }
    }
    return status;
  }

  /** Notes the entries of a secondary index, lest they stay if the transaction aborts. */
  private void journal(Share share) {
    EntryRun entries = share.insert.run();
    for (int j = 0; j < share.size; j++) {
      indexWriter.noteAdded(share.index, entries, j, rows.lotusKey(share.rows[j]));
    }
  }
}
