package org.nelumbo.executor.txn;

import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;

/**
 * Keys that coming statements of a transaction are going to ask for: a hint, without any effect but
 * on caches. Given many at once, the misses of their locks and index windows overlap, instead of
 * being waited for one after the other; on a remote fabric their rows are read together, see {@link
 * RowPrefetch}. Not thread-safe.
 */
public final class Anticipation {
  /** How many keys are taken at once; more would push each other out of the nearest cache. */
  private static final int LOCAL_CAPACITY = 32;

  /** The same where reading them takes three round trips, however many they are. */
  private static final int REMOTE_CAPACITY = 256;

  private final Transaction transaction;
  private final Channel channel;
  private final LockAcquirer locks;

  /** Null on a local fabric. */
  private final RecordMemory records;

  private final int capacity;

  /** These come with the first key: most connections never foresee one. */
  private TableStore[] tables;

  private long[] lotusKeys;
  private boolean[] inserts;

  private int size;

  Anticipation(Transaction transaction) {
    this.transaction = transaction;
    this.channel = transaction.coordinator().channel();
    this.locks = transaction.locks();
    this.records = transaction.records();
    this.capacity = records == null ? LOCAL_CAPACITY : REMOTE_CAPACITY;
  }

  /**
   * Adds a complete primary key, unless the transaction has its lock already or there is no room.
   */
  public void add(TableStore table, KeyBuffer key, boolean insert) {
    if (size < capacity && !locks.holds(key.lotusKey)) {
      if (tables == null) {
        makeRoom();
      }
      tables[size] = table;
      lotusKeys[size] = key.lotusKey;
      inserts[size++] = insert;
    }
  }

  private void makeRoom() {
    tables = new TableStore[capacity];
    lotusKeys = new long[capacity];
    inserts = new boolean[capacity];
  }

  public boolean isFull() {
    return size == capacity;
  }

  /** Has what was added brought near, and forgets it. */
  public void fetch() {
    if (records != null) {
      fetchRows();
    }
    for (int i = 0; i < size; i++) {
      tables[i].hash().prefetch(channel, lotusKeys[i], inserts[i]);
      tables[i] = null;
    }
    for (int i = 0; i < size; i++) {
      locks.prefetch(lotusKeys[i]);
    }
    size = 0;
  }

  /** A row that is to be inserted is looked for by its insert, together with its place. */
  private void fetchRows() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (!inserts[i]) {
        tables[kept] = tables[i];
        lotusKeys[kept++] = lotusKeys[i];
      }
    }
    if (kept > 1) {
      transaction.prefetch().fetch(tables, lotusKeys, kept);
    }
    size = 0;
  }
}
