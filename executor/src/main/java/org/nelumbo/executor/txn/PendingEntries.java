package org.nelumbo.executor.txn;

import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.index.tree.EntryRun;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;

/**
 * Adds the entries of secondary indexes that a transaction owes. On a remote fabric an entry waits
 * in the {@link IndexJournal}, so that those of many statements share their round trips: until the
 * transaction scans where it belongs, or looks for its unique value, or commits, or there are many.
 * Nobody else misses it: the row is write-locked, and so is its unique value; and who has scanned
 * the leaf before it gets there has locked that against it. Not thread-safe.
 */
final class PendingEntries {
  /** So many may wait. */
  private static final int MOST = 256;

  private final Coordinator coordinator;
  private final Channel channel;
  private final IndexJournal journal;
  private final IndexWriter indexWriter;
  private final LeafShares shares;
  private final KeyBuffer key = new KeyBuffer();

  PendingEntries(
      Coordinator coordinator, LockAcquirer locks, IndexJournal journal, IndexWriter indexWriter) {
    this.coordinator = coordinator;
    this.channel = coordinator.channel();
    this.journal = journal;
    this.indexWriter = indexWriter;
    this.shares = new LeafShares(coordinator, locks, indexWriter);
  }

  /** Adds one more; OK, or why others could not be added to make room, as {@link #settle}. */
  int add(IndexStore index, KeyBuffer entryKey, long lotusKey, long cvt) {
    int status = journal.pending() < MOST ? Transaction.OK : settle();
    if (status == Transaction.OK) {
      journal.add(index, entryKey, lotusKey, cvt, IndexJournal.PENDING);
    }
    return status;
  }

  /** Whether one belongs into a range, bounds included; a bound of length 0 is open. */
  boolean isWithin(IndexStore index, byte[] low, int lowLength, byte[] high, int highLength) {
    for (int i = journal.firstPending(); i < journal.size(); i++) {
      if (journal.kind(i) == IndexJournal.PENDING
          && journal.index(i) == index
          && journal.isWithin(i, low, lowLength, high, highLength)) {
        return true;
      }
    }
    return false;
  }

  /** Whether one has the value with which an entry key begins. */
  boolean hasValue(IndexStore index, KeyBuffer entryKey, int prefix) {
    for (int i = journal.firstPending(); i < journal.size(); i++) {
      if (journal.kind(i) == IndexJournal.PENDING
          && journal.index(i) == index
          && journal.beginsWith(i, entryKey, prefix)) {
        return true;
      }
    }
    return false;
  }

  /** Adds all: OK, CONFLICT, CANCELLED or EXHAUSTED; then some may still be pending. */
  int settle() {
    coordinator.beginChange();
    int status = Transaction.OK;
    while (status == Transaction.OK && journal.pending() > 0) {
      int mark = channel.mark();
      shareOut();
      shares.postLatches();
      channel.flush();
      postEntries();
      channel.flush();
      shares.leave();
      channel.release(mark);
      status = finish();
    }
    coordinator.endChange();
    return status;
  }

  private void shareOut() {
    shares.clear();
    for (int i = journal.firstPending(); i < journal.size(); i++) {
      if (journal.kind(i) == IndexJournal.PENDING) {
        IndexStore index = journal.index(i);
        journal.key(i, key);
        LeafShares.Share share =
            shares.of(index, index.tree().leaf(channel, key.bytes, key.length));
        if (share != null) {
          share.add(i);
        }
      }
    }
  }

  private void postEntries() {
    for (int i = 0; i < shares.count(); i++) {
      LeafShares.Share share = shares.get(i);
      for (int j = 0; j < share.size; j++) {
        int entry = share.items[j];
        journal.key(entry, key);
        share.insert.run().add(key.bytes, key.length, journal.cvt(entry));
      }
    }
    shares.postEntries();
  }

  private int finish() {
    int status = Transaction.OK;
    for (int i = 0; i < shares.count(); i++) {
      LeafShares.Share share = shares.get(i);
      if (status == Transaction.OK) {
        status = indexWriter.finish(share.insert);
      }
      note(share);
    }
    return status;
  }

  private void note(LeafShares.Share share) {
    EntryRun run = share.insert.run();
    for (int j = 0; j < share.size; j++) {
      switch (run.result(j)) {
        case IndexResult.INSERTED -> journal.settle(share.items[j], IndexJournal.ADDED);
        case IndexResult.PRESENT -> journal.settle(share.items[j], IndexJournal.PRESENT);
        default -> {
          // stays pending
        }
      }
    }
  }
}
