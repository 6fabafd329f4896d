package org.nelumbo.executor.row;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.types.Bytes;
import org.nelumbo.types.ColumnType;

/**
 * Makes the keys of a secondary index's entries from row images: the index columns, then the
 * normalised primary key as it is. Immutable, thread-safe.
 *
 * <p>Where the index {@linkplain IndexSchema#shortens shortens} keys, one of 200 bytes and more (of
 * which a tree's node has no room) becomes one of 200:
 *
 * <pre>
 * 0   | its first 176 bytes
 * 176 | the first 16 bytes of its SHA-256
 * 192 | LOTUS key of the row, big-endian
 * </pre>
 *
 * So rows have different keys, rows that are equal in the index columns are beside each other, and
 * those that differ in the first 176 bytes are in order. What begins with the same 176 bytes is
 * told apart by the row ({@link #isWithin}), and is one value to those who lock values.
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

  /** Types and directions of the index columns (without the primary key that follows them). */
  public KeyFormat format() {
    return format;
  }

  /** Bytes that an entry's key takes at most; very many if a column's length is not limited. */
  public long longest() {
    return format.longest() + layout.keyFormat().longest();
  }

  /** Whether some keys are shortened, so that entries are not in order everywhere. */
  public boolean shortens() {
    return shortens;
  }

  /**
   * Makes the key of the row's entry.
   *
   * @return length of the index columns' part; the primary key follows it, or the key is shortened
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

  /** Makes the key of a row that bounds of a range are compared with: it is never shortened. */
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

  /** See {@link #build(byte[], int, KeyBuffer)}. */
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

  /** Whether one of the row's index columns is NULL: then a unique index does not apply to it. */
  public boolean hasNull(byte[] image, int offset) {
    for (int column : columns) {
      if (layout.isNull(image, offset, column)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an entry's key belongs to the row: the row is still found under it. */
  public boolean matches(
      byte[] entry, int entryOffset, int entryLength, RowBuffer row, KeyBuffer scratch) {
    build(row, scratch);
    return Arrays.equals(
        entry, entryOffset, entryOffset + entryLength, scratch.bytes, 0, scratch.length);
  }

  /** Whether a bound of a range is longer than what is kept of every key. */
  public boolean isLong(KeyBuffer bound) {
    return shortens && bound.length > KEPT_BYTES;
  }

  /**
   * Makes bounds of a range of rows, {@code low <= key < high}, those of all their entries, some of
   * which may be of other rows, see {@link #isWithin}. An empty bound is open.
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

  /** Whether a row is in a range {@code low <= key < high} by its whole key; empty is open. */
  public boolean isWithin(RowBuffer row, KeyBuffer low, KeyBuffer high, KeyBuffer scratch) {
    buildWhole(row, scratch);
    return compare(low, scratch) <= 0 && (high.length == 0 || compare(scratch, high) < 0);
  }

  private static int compare(KeyBuffer a, KeyBuffer b) {
    return Arrays.compareUnsigned(a.bytes, 0, a.length, b.bytes, 0, b.length);
  }

  /**
   * Whether a key has a value, or NULL, of each column of the index, and nothing behind. Or as much
   * as is kept of every key: then all entries that begin with it have one value, too.
   */
  public boolean isComplete(KeyBuffer key) {
    return shortens && key.length == KEPT_BYTES || format.isComplete(key);
  }

  /**
   * The LOTUS key of the row that an entry's key belongs to: it ends with the row's primary key, or
   * with the LOTUS key itself.
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
   * Length of the index columns' part of an entry's key; of a key that is shortened, and of those
   * beside it, no more than is kept of each.
   */
  public int prefixLength(KeyBuffer entry) {
    return shortens
        ? format.prefixEnd(entry, KEPT_BYTES)
        : format.prefixEnd(entry.bytes, 0, columns.length);
  }
}
