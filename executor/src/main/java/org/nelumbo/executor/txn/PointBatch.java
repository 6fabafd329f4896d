package org.nelumbo.executor.txn;

import java.util.Arrays;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;

/**
 * Gets of many keys of one table in a constant number of round trips: locks, hash buckets, CVTs,
 * records. Keys are copied; rows are valid until the next {@link #execute} or {@link #clear}. Not
 * thread-safe.
 */
public final class PointBatch {
  private final Transaction transaction;
  private final Channel channel;
  private final CvtBatch batch;
  private final RowFinder finder;
  private final long[] candidates = new long[HashIndex.USUAL_CANDIDATES];
  private final long[] cvts = new long[CvtBatch.CAPACITY];
  private final int[] members = new int[CvtBatch.CAPACITY];
  private final int[] tickets = new int[CvtBatch.CAPACITY];

  private TableStore table;
  private KeyBuffer[] keys = new KeyBuffer[16];
  private RowBuffer[] rows = new RowBuffer[16];
  private boolean[] found = new boolean[16];
  private int size;

  PointBatch(Transaction transaction) {
    this.transaction = transaction;
    this.channel = transaction.coordinator().channel();
    this.batch = new CvtBatch(channel, transaction.reader());
    this.finder = transaction.finder();
  }

  public void clear() {
    size = 0;
    table = null;
  }

  public int size() {
    return size;
  }

  /**
   * Adds a key; answers its index.
   *
   * @throws IllegalArgumentException if the batch holds keys of another table
   */
  public int add(TableStore of, KeyBuffer key) {
    if (table != null && table != of) {
      throw new IllegalArgumentException("a batch reads one table, table=" + table.schema().name());
    }
    table = of;
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, size * 2);
      rows = Arrays.copyOf(rows, size * 2);
      found = Arrays.copyOf(found, size * 2);
    }
    if (keys[size] == null) {
      keys[size] = new KeyBuffer();
      rows[size] = new RowBuffer();
    }
    keys[size].copyFrom(key);
    return size++;
  }

  /** Whether key {@code i} has a row. */
  public boolean found(int i) {
    return found[i];
  }

  /** Shows the row of key {@code i}. */
  public void row(int i, RowBuffer out) {
    out.wrap(rows[i]);
  }

  /** Locks (where isolation and mode ask for it) and reads all keys. Answers OK or the failure. */
  public int execute(int lockMode) {
    boolean locked = transaction.locksReads(lockMode);
    if (locked) {
      for (int i = 0; i < size; i++) {
        int status = transaction.locks().acquire(keys[i].lotusKey, lockMode);
        if (status != Transaction.OK) {
          return status;
        }
      }
    }
    transaction.pin();
    int status = Transaction.OK;
    for (int from = 0; from < size && status == Transaction.OK; from += CvtBatch.CAPACITY) {
      status = readChunk(from, Math.min(size, from + CvtBatch.CAPACITY), locked);
    }
    transaction.unpin();
    return status;
  }

  private int readChunk(int from, int to, boolean locked) {
    int mark = channel.mark();
    HashIndex hash = table.hash();
    for (int i = from; i < to; i++) {
      tickets[i - from] = ownWrite(i) ? -1 : hash.postLookup(channel, keys[i].lotusKey);
    }
    channel.flush();
    int count = 0;
    for (int i = from; i < to; i++) {
      if (tickets[i - from] < 0) {
        continue;
      }
      found[i] = false;
      int candidatesCount = hash.collect(channel, tickets[i - from], keys[i].lotusKey, candidates);
      if (candidatesCount == 1) {
        cvts[count] = candidates[0];
        members[count++] = i;
      } else if (candidatesCount != 0) {
        int status = readAlone(i, locked);
        if (status != Transaction.OK) {
          channel.release(mark);
          return status;
        }
      }
    }
    channel.release(mark);
    return readCvts(count, locked);
  }

  private boolean ownWrite(int i) {
    WriteSet writes = transaction.writes();
    int write = writes.find(table, keys[i].lotusKey, keys[i].bytes, 0, keys[i].length);
    if (write < 0) {
      return false;
    }
    found[i] = writes.isPresent(write);
    if (found[i]) {
      rows[i].copy(writes.images(), writes.imageOffset(write), writes.imageLength(write));
    }
    return true;
  }

  private int readCvts(int count, boolean locked) {
    int status = batch.read(table, cvts, count, locked, transaction.snapshot());
    for (int j = 0; j < count && status == Transaction.OK; j++) {
      int i = members[j];
      if (locked && transaction.isTooNew(batch.version(j))) {
        return transaction.changedSinceSnapshot();
      }
      if (!batch.isPresent(j)) {
        continue;
      }
      batch.copy(j, rows[i]);
      found[i] = RowFinder.hasKey(rows[i], keys[i]);
    }
    return status;
  }

  /** Several candidates, or a stale directory: one key by itself. */
  private int readAlone(int i, boolean locked) {
    int status =
        locked
            ? finder.findLocked(table, keys[i], 0, rows[i], null)
            : finder.findVisible(table, keys[i], transaction.snapshot(), rows[i]);
    if (locked && transaction.isTooNew(finder.version())) {
      return transaction.changedSinceSnapshot();
    }
    found[i] = status == Transaction.OK;
    return status == Transaction.NOT_FOUND ? Transaction.OK : status;
  }
}
