package org.nelumbo.executor.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.ReadView;

/**
 * Reservations of unique values for many rows: {@link #reserve} locks the values and then reads the
 * leaves that contain, or would contain, their entries, in one round trip for all of them.
 *
 * <p>Under the lock of a value no other transaction adds an entry with it ({@link UniqueCheck}), so
 * the content of its leaf stays valid until this transaction adds such an entry. Before that, the
 * caller takes the value out with {@link #take}, or all values with {@link #clear}.
 *
 * <p>Order of calls: add, reserve, take. The next call of add after that starts a new set. Not
 * thread-safe.
 */
public final class UniqueKeyReservations {
  private final Channel channel;
  private final ReadView view;
  private final KeyLocks locks;
  private final IndexTrees trees;
  private final PendingEntries pending;
  private final UniqueKeyLeaves leaves;
  private final KeyBuffer oldKey = new KeyBuffer();
  private final KeyBuffer newKey = new KeyBuffer();
  private final List<Reservation> reservations = new ArrayList<>();
  private int size;

  private boolean reserved;

  /**
   * Position at which the next search begins: values are mostly searched for in the order of their
   * addition.
   */
  private int hint;

  /** A value with its entries: the LOTUS keys and the CVT addresses of their rows. */
  static final class Reservation {
    private static final int UNKNOWN = -1;

    /** Entry key without the primary key. */
    private final KeyBuffer value = new KeyBuffer();

    private IndexStore index;
    private long lockKey;
    private int count;
    private boolean taken;
    private long[] lotusKeys = new long[2];
    private long[] cvts = new long[2];

    /** Returns the number of entries. */
    int count() {
      return count;
    }

    long lotusKey(int i) {
      return lotusKeys[i];
    }

    long cvt(int i) {
      return cvts[i];
    }

    private void begin(IndexStore newIndex, long newLockKey, KeyBuffer entryKey, int prefix) {
      index = newIndex;
      lockKey = newLockKey;
      value.clear();
      value.append(entryKey.bytes, 0, prefix);
      count = UNKNOWN;
      taken = false;
    }

    private boolean isOf(IndexStore other, long otherLockKey, KeyBuffer entryKey, int prefix) {
      return lockKey == otherLockKey
          && index == other
          && Arrays.equals(value.bytes, 0, value.length, entryKey.bytes, 0, prefix);
    }

    private void note(LeafCursor cursor, int entries) {
      if (entries > cvts.length) {
        lotusKeys = new long[entries];
        cvts = new long[entries];
      }
      for (int i = 0; i < entries; i++) {
        int offset = cursor.keyOffset(i);
        lotusKeys[i] = index.lotusKey(cursor.keyBytes(), offset, cursor.keyLength(i));
        cvts[i] = cursor.cvt(i);
      }
      count = entries;
    }
  }

  UniqueKeyReservations(
      Channel channel, ReadView view, KeyLocks locks, IndexTrees trees, PendingEntries pending) {
    this.channel = channel;
    this.view = view;
    this.locks = locks;
    this.trees = trees;
    this.pending = pending;
    this.leaves = new UniqueKeyLeaves(channel);
  }

  /** Discards all values; their locks are kept. */
  public void clear() {
    for (int i = 0; i < size; i++) {
      reservations.get(i).index = null; // the index may be dropped
    }
    size = 0;
    hint = 0;
    reserved = false;
  }

  /**
   * Adds the new unique values of a row whose image is replaced by another one with the same
   * primary key.
   */
  public void add(TableStore table, RowBuffer oldImage, RowBuffer newImage) {
    for (IndexStore index : table.indexes()) {
      if (isBound(index, newImage)) {
        int oldPrefix = index.encoder().build(oldImage, oldKey);
        int prefix = index.encoder().build(newImage, newKey);
        if (!Arrays.equals(oldKey.bytes, 0, oldPrefix, newKey.bytes, 0, prefix)) {
          add(index, prefix);
        }
      }
    }
  }

  /**
   * Adds the unique values of a new row. Returns false if one of them may already be in the set for
   * another row.
   */
  public boolean add(TableStore table, RowBuffer image) {
    boolean alone = true;
    for (IndexStore index : table.indexes()) {
      if (isBound(index, image)) {
        alone &= add(index, index.encoder().build(image, newKey));
      }
    }
    return alone;
  }

  /** Returns true if an index is unique and applies to the row, which has no NULL in it. */
  private static boolean isBound(IndexStore index, RowBuffer image) {
    return index.schema().unique() && !index.encoder().hasNull(image.bytes, image.offset);
  }

  /**
   * Adds the value in {@link #newKey}. Returns false if the set contains it, or another value with
   * the same lock.
   */
  private boolean add(IndexStore index, int prefix) {
    if (reserved) {
      clear();
    }
    long lockKey = IndexValues.lockKey(index, newKey);
    for (int i = 0; i < size; i++) {
      if (reservations.get(i).lockKey == lockKey) {
        return false;
      }
    }
    if (size == reservations.size()) {
      reservations.add(new Reservation());
    }
    reservations.get(size++).begin(index, lockKey, newKey, prefix);
    return true;
  }

  /**
   * Locks the values added since the last reservation and searches for their entries. Returns OK,
   * CONFLICT or CANCELLED; or EXHAUSTED if a pending entry of this transaction with such a value
   * could not be added to its index.
   */
  public Outcome reserve() {
    if (reserved) {
      return Outcome.OK;
    }
    reserved = true;
    Outcome status = locks.isShared() ? lockAhead() : Outcome.OK;
    // All locks are acquired before a leaf is read, since a leaf may belong to several values.
    for (int i = 0; i < size && status == Outcome.OK; i++) {
      Reservation reservation = reservations.get(i);
      trees.changing(reservation.index);
      status = locks.acquire(reservation.lockKey, LockMode.WRITE);
      if (status == Outcome.OK) {
        status = pending.flushValue(reservation.index, reservation.value, reservation.value.length);
      }
    }
    if (status == Outcome.OK) {
      view.pin();
      for (int from = 0; from < size; ) {
        from = look(from);
      }
      view.unpin();
    }
    return status;
  }

  private Outcome lockAhead() {
    Outcome status = Outcome.OK;
    for (int i = 0; i < size && status == Outcome.OK; i++) {
      status = locks.addAhead(reservations.get(i).lockKey, LockMode.WRITE);
    }
    return status == Outcome.OK ? locks.finishAhead() : status;
  }

  private int look(int from) {
    int mark = channel.mark();
    int to = from;
    while (to < size && leaves.post(reservations.get(to).index, reservations.get(to).value)) {
      to++;
    }
    leaves.read();
    for (int i = from; i < to; i++) {
      Reservation reservation = reservations.get(i);
      int entries = leaves.entries(reservation.index, reservation.value);
      if (entries >= 0) {
        reservation.note(leaves.cursor(reservation.index), entries);
      }
    }
    leaves.clear();
    channel.release(mark);
    return Math.max(to, from + 1);
  }

  /** Returns true if the unique values of a new row are known to have no entries. */
  public boolean areFree(TableStore table, RowBuffer image) {
    for (IndexStore index : table.indexes()) {
      if (isBound(index, image)) {
        int prefix = index.encoder().build(image, newKey);
        Reservation reservation = find(index, newKey, prefix, IndexValues.lockKey(index, newKey));
        if (reservation == null || reservation.count > 0) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Takes out the value that an entry's key begins with. The lock of the value is held, and its
   * entries are those of the result, which is valid until the next value is added. Returns null if
   * the value is not in the set, or its entries are unknown.
   */
  Reservation take(IndexStore index, KeyBuffer entryKey) {
    if (size == 0) {
      return null;
    }
    int prefix = index.encoder().prefixLength(entryKey);
    Reservation reservation = find(index, entryKey, prefix, IndexValues.lockKey(index, entryKey));
    if (reservation != null) {
      reservation.taken = true;
    }
    return reservation;
  }

  /**
   * Returns the reservation if it exists, has not been taken, and its entries are known; null
   * otherwise.
   */
  private Reservation find(IndexStore index, KeyBuffer entryKey, int prefix, long lockKey) {
    for (int n = 0; reserved && n < size; n++) {
      int i = hint + n < size ? hint + n : hint + n - size;
      Reservation reservation = reservations.get(i);
      if (reservation.isOf(index, lockKey, entryKey, prefix)) {
        hint = i + 1 < size ? i + 1 : 0;
        return reservation.taken || reservation.count == Reservation.UNKNOWN ? null : reservation;
      }
    }
    return null;
  }
}
