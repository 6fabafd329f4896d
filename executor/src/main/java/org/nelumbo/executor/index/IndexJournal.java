package org.nelumbo.executor.index;

import java.util.Arrays;
import org.nelumbo.dm.index.tree.EntryRun;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.gc.GarbageList;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;

/**
 * The journal of a transaction's changes to secondary indexes. It lists entries that the
 * transaction has added (removed again if it does not commit), entries that it still has to add
 * (see {@link PendingEntries}), and entries that its commit makes stale (removed later). A
 * savepoint is a position in the list. Not thread-safe.
 */
public final class IndexJournal {
  /** The transaction has added the entry. */
  static final byte ADDED = 0;

  /** The commit of the transaction makes the entry stale. */
  public static final byte STALE = 1;

  /**
   * The commit of the transaction makes the entry stale, unless the transaction deletes the row:
   * garbage collection then finds the entry through the deleted version.
   */
  public static final byte STALE_UNLESS_DELETED = 2;

  /** The transaction has to add the entry before it commits. */
  static final byte PENDING = 3;

  /** The entry was to be added by the transaction, but existed already. */
  static final byte PRESENT = 4;

  private static final int INITIAL_ENTRIES = 4;
  private static final int INITIAL_KEY_BYTES = 64;

  private IndexStore[] indexes = new IndexStore[INITIAL_ENTRIES];
  private long[] cvts = new long[INITIAL_ENTRIES];
  private long[] lotusKeys = new long[INITIAL_ENTRIES];
  private int[] keyOffsets = new int[INITIAL_ENTRIES];
  private int[] keyLengths = new int[INITIAL_ENTRIES];
  private byte[] kinds = new byte[INITIAL_ENTRIES];
  private int size;
  private byte[] keys = new byte[INITIAL_KEY_BYTES];
  private int keyBytes;
  private final KeyBuffer staleKey = new KeyBuffer();
  private int pending;

  /** Lower bound of the positions of pending entries. */
  private int firstPending;

  /** Returns the number of entries: the position of a savepoint. */
  public int size() {
    return size;
  }

  /** Returns the number of pending entries. */
  public int pending() {
    return pending;
  }

  /** Returns a position before which no entry is pending. */
  int firstPending() {
    return firstPending;
  }

  /** Records entry {@code i} of a run, provided that the run has inserted it. */
  public void noteAdded(IndexStore index, EntryRun run, int i, long lotusKey) {
    if (run.result(i) == IndexResult.INSERTED) {
      add(index, run.key(i), run.length(i), lotusKey, run.value(i), ADDED);
    }
  }

  void add(IndexStore index, KeyBuffer key, long lotusKey, long cvt, byte kind) {
    add(index, key.bytes, key.length, lotusKey, cvt, kind);
  }

  private void add(IndexStore index, byte[] key, int length, long lotusKey, long cvt, byte kind) {
    if (size == kinds.length) {
      grow();
    }
    if (keyBytes + length > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(keys.length * 2, keyBytes + length));
    }
    indexes[size] = index;
    cvts[size] = cvt;
    lotusKeys[size] = lotusKey;
    keyOffsets[size] = keyBytes;
    keyLengths[size] = length;
    kinds[size] = kind;
    System.arraycopy(key, 0, keys, keyBytes, length);
    keyBytes += length;
    if (kind == PENDING && pending++ == 0) {
      firstPending = size;
    }
    size++;
  }

  /**
   * Changes the kind of a pending entry after its insert.
   *
   * @param kind ADDED or PRESENT
   */
  void resolve(int i, byte kind) {
    assert kinds[i] == PENDING : "resolved twice";
    kinds[i] = kind;
    pending--;
  }

  /** Returns the approximate heap memory of the journal in bytes. */
  public long heapBytes() {
    return 70L * size + 2L * keyBytes;
  }

  public IndexStore index(int i) {
    return indexes[i];
  }

  public long cvt(int i) {
    return cvts[i];
  }

  long lotusKey(int i) {
    return lotusKeys[i];
  }

  public byte kind(int i) {
    return kinds[i];
  }

  /** Copies an entry's key. */
  public void key(int i, KeyBuffer out) {
    out.clear();
    out.append(keys, keyOffsets[i], keyLengths[i]);
  }

  /**
   * Returns true if the key of an entry is in a range, bounds included; a bound of length 0 is
   * open.
   */
  boolean isWithin(int i, byte[] low, int lowLength, byte[] high, int highLength) {
    int from = keyOffsets[i];
    int to = from + keyLengths[i];
    return (lowLength == 0 || Arrays.compareUnsigned(keys, from, to, low, 0, lowLength) >= 0)
        && (highLength == 0 || Arrays.compareUnsigned(keys, from, to, high, 0, highLength) <= 0);
  }

  /**
   * Returns true if the key of an entry begins with the first {@code length} bytes of {@code key}.
   */
  boolean beginsWith(int i, KeyBuffer key, int length) {
    int from = keyOffsets[i];
    return keyLengths[i] >= length
        && Arrays.equals(keys, from, from + length, key.bytes, 0, length);
  }

  /**
   * Passes the entries that the commit has made stale to garbage collection, which removes them
   * when no snapshot needs them. Clears the journal.
   *
   * @param timestamp timestamp from which on new snapshots do not need these entries
   */
  public void retireStale(WriteSet writes, GarbageList garbage, long timestamp) {
    for (int i = 0; i < size; i++) {
      if (isStale(writes, i)) {
        key(i, staleKey);
        garbage.addIndexEntry(indexes[i], staleKey, lotusKeys[i], cvts[i], timestamp);
      }
    }
    truncate(0);
  }

  private boolean isStale(WriteSet writes, int i) {
    return switch (kinds[i]) {
      case STALE -> true;
      case STALE_UNLESS_DELETED -> !writes.deletes(lotusKeys[i], cvts[i]);
      default -> false;
    };
  }

  /** Removes the entries from position {@code mark} on. */
  public void truncate(int mark) {
    while (size > mark) {
      size--;
      if (kinds[size] == PENDING) {
        pending--;
      }
      indexes[size] = null;
      keyBytes = keyOffsets[size];
    }
  }

  /**
   * The kinds are copied last: if one of the arrays cannot be allocated, the next call copies all
   * of them again.
   */
  private void grow() {
    int capacity = size * 2;
    indexes = Arrays.copyOf(indexes, capacity);
    cvts = Arrays.copyOf(cvts, capacity);
    lotusKeys = Arrays.copyOf(lotusKeys, capacity);
    keyOffsets = Arrays.copyOf(keyOffsets, capacity);
    keyLengths = Arrays.copyOf(keyLengths, capacity);
    kinds = Arrays.copyOf(kinds, capacity);
  }
}
