package org.nelumbo.executor.txn;

import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;

/**
 * Keys that coming statements of a transaction are going to ask for: a hint, without any effect but
 * on the processor's caches. Given many at once, the misses of their locks and index windows
 * overlap, instead of being waited for one after the other. Not thread-safe.
 */
public final class Anticipation {
  /** How many keys are taken at once; more would push each other out of the nearest cache. */
  public static final int CAPACITY = 32;

  private final Channel channel;
  private final LockAcquirer locks;
  private final TableStore[] tables = new TableStore[CAPACITY];
  private final long[] lotusKeys = new long[CAPACITY];
  private final boolean[] inserts = new boolean[CAPACITY];
  private int size;

  Anticipation(Transaction transaction) {
    this.channel = transaction.coordinator().channel();
    this.locks = transaction.locks();
  }

  /**
   * Adds a complete primary key, unless the transaction has its lock already or there is no room.
   */
  public void add(TableStore table, KeyBuffer key, boolean insert) {
    if (size < CAPACITY && !locks.holds(key.lotusKey)) {
      tables[size] = table;
      lotusKeys[size] = key.lotusKey;
      inserts[size++] = insert;
    }
  }

  public boolean isFull() {
    return size == CAPACITY;
  }

  /** Has what was added brought near, and forgets it. */
  public void fetch() {
    for (int i = 0; i < size; i++) {
      tables[i].hash().prefetch(channel, lotusKeys[i], inserts[i]);
      tables[i] = null;
    }
    for (int i = 0; i < size; i++) {
      locks.prefetch(lotusKeys[i]);
    }
    size = 0;
  }
}
