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
 * Values of unique indexes that many rows are going to get: {@link #reserve} locks them, then reads
 * the leaves where their entries are, or would be, in one round trip for all of them.
 *
 * <p>Under the lock of a value nobody else adds an entry with it ({@link UniqueCheck}); so what its
 * leaf showed counts until the transaction adds one itself. Whoever is about to do that takes the
 * value out ({@link #take}), or all of them ({@link #clear}). Life: add, claim, take; the next one
 * that is added begins anew. Not thread-safe.
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

  /** Whether these have been locked, and the next one added begins anew. */
  private boolean reserved;

  /** Values are looked for in the order in which they were added, mostly: where to begin. */
  private int hint;

  /** A value, and the entries it has: of which rows, and where these have their CVTs. */
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

    /** How many entries there are. */
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

  /** Forgets all values; what is locked stays so. */
  public void clear() {
    for (int i = 0; i < size; i++) {
      reservations.get(i).index = null; // which may be dropped
    }
    size = 0;
    hint = 0;
    reserved = false;
  }

  /** Adds what a row gets whose image is replaced by another one with the same primary key. */
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

  /** Adds the values of a new row; false if one of them may be there already, of another row. */
  public boolean add(TableStore table, RowBuffer image) {
    boolean alone = true;
    for (IndexStore index : table.indexes()) {
      if (isBound(index, image)) {
        alone &= add(index, index.encoder().build(image, newKey));
      }
    }
    return alone;
  }

  /** Whether an index is unique, and a row has no NULL in it. */
  private static boolean isBound(IndexStore index, RowBuffer image) {
    return index.schema().unique() && !index.encoder().hasNull(image.bytes, image.offset);
  }

  /** Adds the value of {@link #newKey}, unless it is there, or another one with the same lock. */
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
   * Locks the values that were added since the last claim, and looks for their entries: OK,
   * CONFLICT or CANCELLED, or EXHAUSTED if an entry of the transaction's own that has such a value
   * could not be added before.
   */
  public Outcome reserve() {
    if (reserved) {
      return Outcome.OK;
    }
    reserved = true;
    Outcome status = locks.isShared() ? lockAhead() : Outcome.OK;
    // No leaf is read before: it may be that of several of them.
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

  /** Looks for as many as there is room for, and returns where the others begin. */
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

  /** Whether the values of a new row are known to have no entries. */
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
   * Takes out the value that an entry key begins with: then its lock is held, and these are its
   * entries. Null if it is not known. Valid until one is added.
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

  /** Null unless it is there, and known. */
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
