package org.nelumbo.executor.row;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.types.Bytes;
import org.nelumbo.types.ColumnType;

/**
 * Builds the keys of a secondary index's entries from row images: the index columns, followed by
 * the unchanged normalized primary key. Immutable and thread-safe.
 *
 * <p>If the index {@linkplain IndexSchema#shortens shortens} keys, a key of 200 bytes (the limit of
 * a tree node) or more is replaced by one of exactly 200 bytes:
 *
 * <pre>
 * 0   | the first 176 bytes of the key
 * 176 | the first 16 bytes of its SHA-256
 * 192 | LOTUS key of the row, big-endian
 * </pre>
 *
 * Shortened keys have these properties:
 *
 * <ul>
 *   <li>Different rows have different keys.
 *   <li>Rows with equal index columns are adjacent.
 *   <li>Rows that differ in the first 176 bytes are in order. Entries with equal first 176 bytes
 *       are distinguished by reading their rows ({@link #isWithin}), and share one value lock.
 * </ul>
 */
public final class IndexKeyEncoder {
  private static final int KEPT_BYTES = 176;
  private static final int DIGEST_BYTES = 16;

  private final RowLayout layout;
  private final int[] columns;
  private final KeyFormat format;
  private final boolean shortens;

  public IndexKeyEncoder(TableSchema table, IndexSchema index) {
    this(new RowLayout(table), index);
  }

  public IndexKeyEncoder(RowLayout layout, IndexSchema index) {
    this.layout = layout;
    this.columns = index.columns();
    ColumnType[] types = new ColumnType[columns.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = layout.type(columns[i]);
    }
    this.format = new KeyFormat(types, index.descending());
    this.shortens = index.shortens() && longest() > TreeNodeLayout.KEY_LENGTH_MAX;
  }

  /**
   * Returns the types and directions of the index columns, without the primary key that follows
   * them.
   */
  public KeyFormat format() {
    return format;
  }

  /**
   * Returns the maximum length of an entry's key in bytes; very large if the length of a column is
   * unlimited.
   */
  public long longest() {
    return format.longest() + layout.keyFormat().longest();
  }

  /** Returns true if some keys are shortened, so that entries are not in order everywhere. */
  public boolean shortens() {
    return shortens;
  }

  /**
   * Builds the key of a row's entry.
   *
   * @return length of the part that holds the index columns; the primary key follows it, unless the
   *     key is shortened
   */
  public int build(byte[] image, int offset, KeyBuffer key) {
    int prefix = whole(image, offset, key);
    if (!shortens) {
      return prefix;
    }
    if (key.length >= TreeNodeLayout.KEY_LENGTH_MAX) {
      shorten(key, layout.lotusKey(key.bytes, prefix, key.length - prefix));
    }
    return Math.min(prefix, KEPT_BYTES);
  }

  private static void shorten(KeyBuffer key, long lotusKey) {
    byte[] digest;
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(key.bytes, 0, key.length);
      digest = sha256.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
    key.length = KEPT_BYTES;
    key.append(digest, 0, DIGEST_BYTES);
    key.ensure(Long.BYTES);
    Bytes.putLongBe(key.bytes, key.length, lotusKey);
    key.length += Long.BYTES;
  }

  /** Builds the unshortened key of a row, which can be compared with the bounds of a range. */
  public void buildWhole(RowBuffer row, KeyBuffer key) {
    whole(row.bytes, row.offset, key);
  }

  private int whole(byte[] image, int offset, KeyBuffer key) {
    key.clear();
    int body = layout.bodyOffset(image, offset);
    for (int i = 0; i < columns.length; i++) {
      append(image, offset, body, i, key);
    }
    int prefix = key.length;
    key.append(image, offset, body - offset);
    return prefix;
  }

  /** Builds the key of a row's entry, see {@link #build(byte[], int, KeyBuffer)}. */
  public int build(RowBuffer row, KeyBuffer key) {
    return build(row.bytes, row.offset, key);
  }

  private void append(byte[] image, int offset, int body, int position, KeyBuffer key) {
    int column = columns[position];
    ColumnType type = layout.type(column);
    boolean descending = format.isDescending(position);
    int keyPosition = layout.keyPosition(column);
    if (keyPosition >= 0) {
      appendKeyColumn(image, offset, keyPosition, descending, key);
    } else if (layout.isNull(image, offset, column)) {
      KeyEncoder.appendNull(key, descending);
    } else if (layout.isVariable(column)) {
      appendVariable(image, body, column, descending, key);
    } else if (type.isLong()) {
      format.appendLong(key, position, layout.getLong(image, offset, column));
    } else {
      appendWide(image, body, column, descending, key);
    }
  }

  private void appendKeyColumn(
      byte[] image, int offset, int keyPosition, boolean descending, KeyBuffer key) {
    int from = layout.keyColumnOffset(image, offset, keyPosition);
    int to = layout.keyFormat().skip(image, from, keyPosition);
    int start = key.length;
    key.append(image, from, to - from);
    complementIf(descending, key, start);
  }

  private void appendVariable(
      byte[] image, int body, int column, boolean descending, KeyBuffer key) {
    int number = layout.position(column);
    int from = layout.variableStart(image, body, number);
    int length = layout.variableEnd(image, body, number, from) - from;
    int start = key.length;
    if (layout.type(column).nullable()) {
      KeyEncoder.appendValueMarker(key, false);
    }
    KeyEncoder.appendEscaped(key, image, from, length);
    complementIf(descending, key, start);
  }

  private void appendWide(byte[] image, int body, int column, boolean descending, KeyBuffer key) {
    int start = key.length;
    if (layout.type(column).nullable()) {
      KeyEncoder.appendValueMarker(key, false);
    }
    key.append(image, body + layout.position(column), layout.type(column).fixedWidth());
    complementIf(descending, key, start);
  }

  private static void complementIf(boolean descending, KeyBuffer key, int start) {
    if (descending) {
      KeyEncoder.complement(key.bytes, start, key.length);
    }
  }

  /**
   * Returns true if an index column of the row is NULL; a unique index does not apply to such a
   * row.
   */
  public boolean hasNull(byte[] image, int offset) {
    for (int column : columns) {
      if (layout.isNull(image, offset, column)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns true if the entry's key is the key of the row, so that the row can be found through
   * this entry.
   */
  public boolean matches(
      byte[] entry, int entryOffset, int entryLength, RowBuffer row, KeyBuffer scratch) {
    build(row, scratch);
    return Arrays.equals(
        entry, entryOffset, entryOffset + entryLength, scratch.bytes, 0, scratch.length);
  }

  /** Returns true if a bound of a range is longer than the part that shortened keys keep. */
  public boolean isLong(KeyBuffer bound) {
    return shortens && bound.length > KEPT_BYTES;
  }

  /**
   * Converts the bounds {@code low <= key < high} of a range of rows to bounds of entries, where
   * shortened keys require it. The new range contains all entries of these rows, and possibly
   * entries of other rows, see {@link #isWithin}. An empty bound is open.
   */
  public void shortenBounds(KeyBuffer low, KeyBuffer high) {
    if (isLong(low)) {
      low.length = KEPT_BYTES;
    }
    if (isLong(high)) {
      high.length = KEPT_BYTES;
      KeyEncoder.toPrefixSuccessor(high);
    }
  }

  /**
   * Returns true if the unshortened key of a row is in the range {@code low <= key < high}; an
   * empty bound is open.
   */
  public boolean isWithin(RowBuffer row, KeyBuffer low, KeyBuffer high, KeyBuffer scratch) {
    buildWhole(row, scratch);
    return compare(low, scratch) <= 0 && (high.length == 0 || compare(scratch, high) < 0);
  }

  private static int compare(KeyBuffer a, KeyBuffer b) {
    return Arrays.compareUnsigned(a.bytes, 0, a.length, b.bytes, 0, b.length);
  }

  /**
   * Returns true if a key consists of exactly one value, or NULL, for each index column. Also true
   * for a key as long as the part that shortened keys keep: all entries that begin with it share
   * one value lock.
   */
  public boolean isComplete(KeyBuffer key) {
    return shortens && key.length == KEPT_BYTES || format.isComplete(key);
  }

  /**
   * Returns the LOTUS key of the row that an entry belongs to. It is computed from the primary key
   * at the end of the entry's key, or read from a shortened key.
   */
  public long lotusKey(byte[] entry, int offset, int length) {
    if (shortens && length == TreeNodeLayout.KEY_LENGTH_MAX) {
      return Bytes.longBe(entry, offset + KEPT_BYTES + DIGEST_BYTES);
    }
    int prefix = format.prefixEnd(entry, offset, columns.length) - offset;
    if (length - prefix < layout.leastKeyBytes()) {
      throw DamagedRow.because("an entry of an index ends within its key");
    }
    return layout.lotusKey(entry, offset + prefix, length - prefix);
  }

  /**
   * Copies the primary key at the end of an entry's key; returns false if the key is shortened, so
   * that it has only a part of it.
   */
  public boolean primaryKey(byte[] entry, int offset, int length, KeyBuffer out) {
    if (shortens && length == TreeNodeLayout.KEY_LENGTH_MAX) {
      return false;
    }
    int end = format.prefixEnd(entry, offset, columns.length);
    out.clear();
    out.append(entry, end, length - (end - offset));
    return true;
  }

  /**
   * Returns the length of the index columns' part of an entry's key. If the index shortens keys,
   * the length is at most that of the kept part.
   */
  public int prefixLength(KeyBuffer entry) {
    return shortens
        ? format.prefixEnd(entry, KEPT_BYTES)
        : format.prefixEnd(entry.bytes, 0, columns.length);
  }
}
