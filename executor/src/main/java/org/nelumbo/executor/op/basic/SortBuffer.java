package org.nelumbo.executor.op.basic;

import java.util.Arrays;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.types.ColumnType;

/**
 * The sort keys of rows as normalized bytes, which are compared as bytes; usually the first eight
 * decide. Row numbers are sorted by a stable merge sort. Reusable; not thread-safe.
 */
final class SortBuffer {
  private static final int INITIAL = 16;
  private static final int INSERTION_SORTED = 8;
  private static final int POLL_MASK = 1023;
  private static final byte NULLS_LAST = 2;
  private static final int MAX_ARENA = Integer.MAX_VALUE - 64;

  /** Memory of a row in all arrays except the arena, in bytes. */
  private static final long ROW_BYTES = 20;

  private final SortKey[] keys;
  private final ColumnType[] types;
  private final StatementLimits limits;
  private final MemoryAccount account;
  private final KeyBuffer key = new KeyBuffer();
  private byte[] arena = new byte[INITIAL * 16];
  private int[] ends = new int[INITIAL];
  private long[] prefixes = new long[INITIAL];
  private int[] order = new int[INITIAL];
  private int[] scratch = new int[INITIAL];
  private int used;
  private int size;
  private long reserved = MemoryAccount.FREE_BYTES;

  SortBuffer(SortKey[] keys, Frame frame) {
    this.keys = keys;
    this.limits = frame.limits();
    this.account = limits.newAccount("ORDER BY");
    this.types = new ColumnType[keys.length];
    for (int i = 0; i < keys.length; i++) {
      types[i] = keys[i].expression().type().orNull();
    }
  }

  int size() {
    return size;
  }

  void clear() {
    used = 0;
    size = 0;
  }

  /** Discards the keys and releases memory beyond a small initial amount. */
  void release() {
    clear();
    if (reserved > MemoryAccount.FREE_BYTES) {
      arena = new byte[INITIAL * 16];
      prefixes = new long[INITIAL];
      order = new int[INITIAL];
      scratch = new int[INITIAL];
      ends = new int[INITIAL];
      account.close();
      reserved = MemoryAccount.FREE_BYTES;
    }
  }

  /** Encodes the key of the frame's current row, to be added or compared. */
  void encode(Frame frame) {
    key.clear();
    for (int i = 0; i < keys.length; i++) {
      SortKey sortKey = keys[i];
      boolean descending = sortKey.descending();
      boolean isNull =
          NormalizedKeyCodec.append(sortKey.expression(), types[i], descending, frame, key);
      if (isNull && sortKey.nullsFirst() == descending) {
        key.bytes[key.length - 1] = descending ? ~NULLS_LAST : NULLS_LAST;
      }
    }
  }

  /**
   * Adds the encoded key as the key of the next row; returns false if there is no memory for it.
   */
  boolean tryAdd() {
    if (!ensure(size + 1, key.length)) {
      return false;
    }
    append(key.bytes, 0, key.length);
    return true;
  }

  /** Removes the last key. */
  void removeLast() {
    size--;
    used = start(size);
  }

  /** Returns the error for a key that does not fit. */
  NelumboException exhausted() {
    return account.exhausted(reserved + key.length);
  }

  private boolean ensure(int rows, int moreBytes) {
    long bytes = (long) used + moreBytes;
    boolean rowsFit = rows <= ends.length;
    boolean bytesFit = bytes <= arena.length;
    if (rowsFit && bytesFit) {
      return true;
    }
    long newRows = rowsFit ? 0 : Math.max(2L * ends.length, rows);
    long newBytes = bytesFit ? 0 : Math.min(MAX_ARENA, Math.max(2L * arena.length, bytes));
    // While an array grows, the old one takes memory, too.
    long wanted = arena.length + ROW_BYTES * ends.length + newBytes + ROW_BYTES * newRows;
    if (bytes > MAX_ARENA || newRows > MAX_ARENA / Long.BYTES) {
      return false;
    }
    if (wanted > reserved) {
      if (!account.tryResize(wanted)) {
        return false;
      }
      reserved = wanted;
    }
    if (!rowsFit) {
      prefixes = Arrays.copyOf(prefixes, (int) newRows);
      order = Arrays.copyOf(order, (int) newRows);
      scratch = new int[(int) newRows];
      ends = Arrays.copyOf(ends, (int) newRows);
    }
    if (!bytesFit) {
      arena = Arrays.copyOf(arena, (int) newBytes);
    }
    return true;
  }

  private void append(byte[] bytes, int offset, int length) {
    System.arraycopy(bytes, offset, arena, used, length);
    prefixes[size] = prefix(bytes, offset, length);
    used += length;
    order[size] = size;
    ends[size++] = used;
  }

  private static long prefix(byte[] bytes, int offset, int length) {
    long prefix = 0;
    for (int i = 0; i < Math.min(8, length); i++) {
      prefix |= (bytes[offset + i] & 0xFFL) << (56 - 8 * i);
    }
    return prefix;
  }

  /** Returns the arena that holds the keys. */
  byte[] bytes() {
    return arena;
  }

  int length(int row) {
    return ends[row] - start(row);
  }

  /** Returns the start index of a row's key in the arena. */
  int start(int row) {
    return row == 0 ? 0 : ends[row - 1];
  }

  /** Returns true if the encoded key sorts before the key of a row. */
  boolean isBefore(int row) {
    int result = Arrays.compareUnsigned(key.bytes, 0, key.length, arena, start(row), ends[row]);
    return result < 0;
  }

  private int compare(int left, int right) {
    int first = Long.compareUnsigned(prefixes[left], prefixes[right]);
    return first != 0
        ? first
        : Arrays.compareUnsigned(arena, start(left), ends[left], arena, start(right), ends[right]);
  }

  /** Sorts the rows; {@link #row} then returns the order. */
  void sort() {
    sort(0, size);
  }

  /** Returns the row at a position of the sorted order. */
  int row(int position) {
    return order[position];
  }

  private void sort(int from, int to) {
    if (to - from <= INSERTION_SORTED) {
      insertionSort(from, to);
      return;
    }
    int middle = (from + to) >>> 1;
    sort(from, middle);
    sort(middle, to);
    if (compare(order[middle - 1], order[middle]) > 0) {
      merge(from, middle, to);
    }
  }

  private void insertionSort(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      int row = order[i];
      int j = i - 1;
      for (; j >= from && compare(order[j], row) > 0; j--) {
        order[j + 1] = order[j];
      }
      order[j + 1] = row;
    }
  }

  private void merge(int from, int middle, int to) {
    System.arraycopy(order, from, scratch, from, middle - from);
    int left = from;
    int right = middle;
    int out = from;
    while (left < middle && right < to) {
      if ((out & POLL_MASK) == 0) {
        limits.work(POLL_MASK + 1);
      }
      order[out++] = compare(scratch[left], order[right]) <= 0 ? scratch[left++] : order[right++];
    }
    System.arraycopy(scratch, left, order, out, middle - left);
  }

  /**
   * Copies the first {@code count} rows of {@code other} in sorted order; returns false if there is
   * no memory for them.
   */
  boolean tryTakeSorted(SortBuffer other, int count) {
    clear();
    for (int i = 0; i < count; i++) {
      int row = other.order[i];
      if (!ensure(size + 1, other.length(row))) {
        return false;
      }
      append(other.arena, other.start(row), other.ends[row] - other.start(row));
    }
    return true;
  }
}
