package org.nelumbo.executor.row;

import java.math.BigDecimal;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.types.Bytes;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;
import org.nelumbo.types.Uuids;

/**
 * The layout of a table's row images: the locations of the columns, and access to single columns
 * without decoding the others. Immutable except for the names, see {@link #rename}.
 *
 * <pre>
 *  normalized primary key   see {@link KeyEncoder}; its columns are stored only here
 *  null bitmap              one bit for each nullable column, set if NULL
 *  fixed-width columns      little-endian, in ColumnType.fixedWidth() bytes; zero if NULL
 *  end offsets              of each variable-width column, relative to the first byte after them;
 *                           2 bytes each if the variable-width bytes cannot exceed 64 KiB, else 4
 *  variable-width bytes     UTF-8 (CHAR without trailing blanks), binary, or {@link NumericCodec}
 * </pre>
 *
 * If all key columns have a fixed width, every fixed column is at a constant offset. Otherwise the
 * length of the key is determined by searching for the terminators of its strings.
 */
public final class RowLayout {
  /**
   * Version of the format of row images and normalized keys. It changes whenever their meaning
   * does.
   */
  public static final int FORMAT = 1;

  /**
   * Maximum length of a row image in bytes: with the header of a record it fills the largest block.
   */
  public static final int MAX_ROW_BYTES = SizeClass.LARGEST - RecordLayout.KEY_OFFSET;

  private static final byte KEY = 0;
  private static final byte FIXED_1 = 1;
  private static final byte FIXED_2 = 2;
  private static final byte FIXED_4 = 3;
  private static final byte FIXED_8 = 4;
  private static final byte FIXED_REAL = 5;
  private static final byte WIDE_DECIMAL = 6;
  private static final byte WIDE_UUID = 7;
  private static final byte VARIABLE = 8;

  /** Assumed maximum width of a value: few values are as long as their column allows. */
  private static final int LIKELY_WIDTH_MAX = 64;

  private static final int LIKELY_NUMBER_WIDTH = 8;

  private TableSchema schema;
  private final ColumnType[] types;
  private final byte[] access;
  private final KeyFormat keyFormat;
  private final int[] keyPositions;
  private final int[] keyOffsets;
  private final int keyBytes;
  private final int criticalPosition;
  private final int[] nullBits;
  private final int[] positions;
  private final int bitmapBytes;
  private final int endsOffset;
  private final int variableCount;
  private final int endWidth;
  private final int leastKeyBytes;
  private final int leastImageBytes;

  public RowLayout(TableSchema schema) {
    this.schema = schema;
    int count = schema.columnCount();
    this.types = new ColumnType[count];
    for (int i = 0; i < count; i++) {
      types[i] = schema.column(i).type();
    }
    int[] primaryKey = schema.primaryKey();
    this.keyFormat = keyFormat(schema, primaryKey);
    this.keyPositions = new int[count];
    for (int i = 0; i < count; i++) {
      keyPositions[i] = schema.primaryKeyPosition(i);
    }
    this.keyOffsets = keyOffsets(keyFormat);
    this.keyBytes = keyOffsets[primaryKey.length];
    this.criticalPosition = schema.primaryKeyPosition(schema.critical());
    this.access = new byte[count];
    this.nullBits = new int[count];
    this.positions = new int[count];
    this.bitmapBytes = (placeNullBits() + 7) / 8;
    this.endsOffset = placeFixed();
    this.variableCount = placeVariable();
    this.endWidth = endWidth();
    this.leastKeyBytes = sumOfLeastKeyBytes();
    this.leastImageBytes = leastKeyBytes + variableOffset();
  }

  private static KeyFormat keyFormat(TableSchema schema, int[] primaryKey) {
    ColumnType[] keyTypes = new ColumnType[primaryKey.length];
    for (int i = 0; i < keyTypes.length; i++) {
      keyTypes[i] = schema.column(primaryKey[i]).type();
    }
    return new KeyFormat(keyTypes, new boolean[keyTypes.length]);
  }

  /**
   * Returns the offset of each key column and of the end of the key; -1 for those after the first
   * column of variable width.
   */
  private static int[] keyOffsets(KeyFormat format) {
    int[] offsets = new int[format.size() + 1];
    for (int i = 0; i < format.size(); i++) {
      int width = format.type(i).fixedWidth();
      offsets[i + 1] = offsets[i] < 0 || width == 0 ? -1 : offsets[i] + width;
    }
    return offsets;
  }

  private int placeNullBits() {
    int bits = 0;
    for (int i = 0; i < types.length; i++) {
      nullBits[i] = types[i].nullable() && keyPositions[i] < 0 ? bits++ : -1;
    }
    return bits;
  }

  private int placeFixed() {
    int at = bitmapBytes;
    for (int i = 0; i < types.length; i++) {
      access[i] = keyPositions[i] >= 0 ? KEY : accessOf(types[i]);
      if (access[i] != KEY && access[i] != VARIABLE) {
        positions[i] = at;
        at += types[i].fixedWidth();
      }
    }
    return at;
  }

  private static byte accessOf(ColumnType type) {
    if (type.kind() == Kind.REAL) {
      return FIXED_REAL;
    }
    return switch (type.fixedWidth()) {
      case 1 -> FIXED_1;
      case 2 -> FIXED_2;
      case 4 -> FIXED_4;
      case 8 -> FIXED_8;
      case 16 -> type.kind() == Kind.UUID ? WIDE_UUID : WIDE_DECIMAL;
      default -> VARIABLE;
    };
  }

  private int placeVariable() {
    int count = 0;
    for (int i = 0; i < types.length; i++) {
      if (access[i] == VARIABLE) {
        positions[i] = count++;
      }
    }
    return count;
  }

  private int endWidth() {
    long most = 0;
    for (int i = 0; i < types.length; i++) {
      if (access[i] == VARIABLE) {
        most += types[i].mostBytes();
      }
    }
    return most <= 0xFFFF ? 2 : 4;
  }

  private int sumOfLeastKeyBytes() {
    int bytes = 0;
    for (int i = 0; i < keyFormat.size(); i++) {
      bytes += leastKeyBytes(i);
    }
    return bytes;
  }

  /** A string has at least its terminator. */
  private int leastKeyBytes(int position) {
    return Math.max(1, keyFormat.type(position).fixedWidth());
  }

  /** Returns the minimum length of an image in bytes; shorter images are damaged. */
  public int leastImageBytes() {
    return leastImageBytes;
  }

  /**
   * Estimates the length of images before any image has been seen. The result is exact if all
   * columns have a fixed width.
   */
  public int likelyImageBytes() {
    int bytes = endsOffset + variableCount * endWidth;
    for (int i = 0; i < types.length; i++) {
      boolean varies = access[i] == VARIABLE || (access[i] == KEY && types[i].fixedWidth() == 0);
      if (varies) {
        boolean isNumber = types[i].kind() == Kind.NUMERIC;
        bytes += isNumber ? LIKELY_NUMBER_WIDTH : Math.min(types[i].precision(), LIKELY_WIDTH_MAX);
      } else if (access[i] == KEY) {
        bytes += types[i].fixedWidth();
      }
    }
    return bytes;
  }

  /** Returns the table's schema, with the current names. */
  public TableSchema schema() {
    return schema;
  }

  /**
   * Changes the names of the table and its columns. The table must not be in use meanwhile.
   *
   * @param renamed a schema that differs only in names
   */
  public void rename(TableSchema renamed) {
    schema = renamed;
  }

  public int columnCount() {
    return types.length;
  }

  public ColumnType type(int column) {
    return types[column];
  }

  /** Returns the format of the primary key. */
  public KeyFormat keyFormat() {
    return keyFormat;
  }

  /** Returns the position of a column in the primary key, or -1. */
  public int keyPosition(int column) {
    return keyPositions[column];
  }

  /** Returns the length of the normalized key at the start of an image, in bytes. */
  public int keyLength(byte[] image, int offset) {
    return body(image, offset) - offset;
  }

  /** Sets {@code key} to the complete primary key of a row. */
  public void keyOf(RowBuffer row, KeyBuffer key) {
    key.clear();
    key.append(row.bytes, row.offset, keyLength(row.bytes, row.offset));
    finishKey(key);
  }

  /** Completes a primary key whose columns have all been appended: computes its LOTUS key. */
  public void finishKey(KeyBuffer key) {
    key.lotusKey = lotusKey(key.bytes, 0, key.length);
  }

  /** Returns the LOTUS key of the row with this normalized primary key. */
  public long lotusKey(byte[] bytes, int offset, int length) {
    long hash = LotusKeys.hash(schema.id(), bytes, offset, length);
    return LotusKeys.of(hash, shardBits(bytes, offset));
  }

  private long shardBits(byte[] bytes, int offset) {
    int at = keyColumnOffset(bytes, offset, criticalPosition);
    ColumnType type = keyFormat.type(criticalPosition);
    if (type.kind().isInteger()) {
      return KeyEncoder.longAt(bytes, at, type, false);
    }
    int end = KeyEncoder.skip(bytes, at, type, false);
    return LotusKeys.hash(0, bytes, at, end - at);
  }

  /** Returns the start index of a key column's normalized value. */
  int keyColumnOffset(byte[] image, int offset, int position) {
    int fixed = keyOffsets[position];
    return fixed >= 0 ? offset + fixed : keyColumnBehindText(image, offset, position);
  }

  private int keyColumnBehindText(byte[] image, int offset, int position) {
    int at = keyFormat.prefixEnd(image, offset, position);
    if (at + leastKeyBytes(position) > image.length) {
      throw DamagedRow.because("it ends within its key");
    }
    return at;
  }

  private int body(byte[] image, int offset) {
    return keyBytes >= 0 ? offset + keyBytes : bodyBehindText(image, offset);
  }

  private int bodyBehindText(byte[] image, int offset) {
    int body = keyFormat.prefixEnd(image, offset, keyFormat.size());
    if (body + variableOffset() > image.length) {
      throw DamagedRow.because("it ends within its columns");
    }
    return body;
  }

  /** Returns true if a column is NULL. */
  public boolean isNull(byte[] image, int offset, int column) {
    int bit = nullBits[column];
    return bit >= 0 && (image[body(image, offset) + (bit >>> 3)] >>> (bit & 7) & 1) != 0;
  }

  /** Returns the raw value of a column of a {@code long} type, or 0 if it is NULL. */
  public long getLong(byte[] image, int offset, int column) {
    byte how = access[column];
    if (how == KEY) {
      int position = keyPositions[column];
      int at = keyColumnOffset(image, offset, position);
      return KeyEncoder.longAt(image, at, types[column], false);
    }
    int at = body(image, offset) + positions[column];
    return switch (how) {
      case FIXED_4 -> Bytes.intLe(image, at);
      case FIXED_8 -> Bytes.longLe(image, at);
      case FIXED_2 -> Bytes.shortLe(image, at);
      case FIXED_1 -> image[at];
      case FIXED_REAL -> Double.doubleToRawLongBits(Float.intBitsToFloat(Bytes.intLe(image, at)));
      default -> throw new IllegalArgumentException("no long type column=" + column);
    };
  }

  /**
   * Returns the raw value of a column of an object type, or null if it is NULL. CHAR is padded with
   * blanks.
   */
  public Object getObject(byte[] image, int offset, int column) {
    byte how = access[column];
    ColumnType type = types[column];
    if (how == KEY) {
      int at = keyColumnOffset(image, offset, keyPositions[column]);
      return KeyEncoder.objectAt(image, at, type, false);
    }
    if (isNull(image, offset, column)) {
      return null;
    }
    int body = body(image, offset);
    if (how == WIDE_DECIMAL) {
      return Decimals.wideAt(image, body + positions[column], type.scale());
    }
    if (how == WIDE_UUID) {
      return Uuids.at(image, body + positions[column]);
    }
    int start = variableStart(image, body, positions[column]);
    int length = variableEnd(image, body, positions[column], start) - start;
    return switch (type.kind()) {
      case VARCHAR -> Utf8.decode(image, start, length);
      case CHAR -> Utf8.decodePadded(image, start, length, type.precision());
      case BINARY, VARBINARY -> java.util.Arrays.copyOfRange(image, start, start + length);
      case NUMERIC -> NumericCodec.decode(image, start, length);
      default -> throw new IllegalArgumentException("no object type column=" + column);
    };
  }

  /**
   * Returns true if the row holds the column's text without escapes, outside of the key.
   *
   * @param padded true for CHAR, whose trailing blanks are not significant and not stored; false
   *     for VARCHAR
   */
  public boolean isPlainText(int column, boolean padded) {
    Kind kind = types[column].kind();
    return access[column] == VARIABLE && kind == (padded ? Kind.CHAR : Kind.VARCHAR);
  }

  /**
   * Returns true if a {@linkplain #isPlainText plain} text that is not NULL equals {@code text}.
   */
  public boolean hasText(byte[] image, int offset, int column, String text) {
    int body = body(image, offset);
    int start = variableStart(image, body, positions[column]);
    int end = variableEnd(image, body, positions[column], start);
    boolean padded = types[column].kind() == Kind.CHAR;
    int chars = padded ? Utf8.trimmedLength(text) : text.length();
    return Utf8.equals(image, start, end - start, text, chars);
  }

  /**
   * Appends a {@linkplain #isPlainText plain} text that is not NULL to a key, as {@link KeyEncoder}
   * does, but without the marker of nullable types.
   */
  public void appendText(byte[] image, int offset, int column, KeyBuffer key) {
    int body = body(image, offset);
    int start = variableStart(image, body, positions[column]);
    int end = variableEnd(image, body, positions[column], start);
    KeyEncoder.appendEscaped(key, image, start, end - start);
  }

  /** Returns the value of a CHAR or VARCHAR column, or null if it is NULL. */
  public String getString(byte[] image, int offset, int column) {
    return (String) getObject(image, offset, column);
  }

  /** Returns the value of a REAL or DOUBLE column. */
  public double getDouble(byte[] image, int offset, int column) {
    return Double.longBitsToDouble(getLong(image, offset, column));
  }

  /** Returns the value of a DECIMAL or NUMERIC column, or null if it is NULL. */
  public BigDecimal getDecimal(byte[] image, int offset, int column) {
    ColumnType type = types[column];
    if (!type.isLong()) {
      return (BigDecimal) getObject(image, offset, column);
    }
    return isNull(image, offset, column)
        ? null
        : BigDecimal.valueOf(getLong(image, offset, column), type.scale());
  }

  // Methods for RowWriter and IndexKeyEncoder.

  int bodyOffset(byte[] image, int offset) {
    return body(image, offset);
  }

  /** Returns the minimum length of a primary key in bytes. */
  public int leastKeyBytes() {
    return leastKeyBytes;
  }

  boolean isVariable(int column) {
    return access[column] == VARIABLE;
  }

  int nullBit(int column) {
    return nullBits[column];
  }

  /**
   * Returns the offset of a fixed-width column from the body, or the number of a variable-width
   * column.
   */
  int position(int column) {
    return positions[column];
  }

  /** Returns the offset of the variable-width bytes from the body. */
  int variableOffset() {
    return endsOffset + variableCount * endWidth;
  }

  int variableStart(byte[] image, int body, int number) {
    int base = body + endsOffset + variableCount * endWidth;
    return number == 0 ? base : base + endOffset(image, body, number - 1);
  }

  /**
   * Returns the end index of a variable-width column that starts at {@code start}. Fails with XX001
   * if the end is before the start or beyond the image.
   */
  int variableEnd(byte[] image, int body, int number, int start) {
    int end = body + endsOffset + variableCount * endWidth + endOffset(image, body, number);
    if (start < body || end < start || end > image.length) {
      throw DamagedRow.because("a text ends before it begins, or after the row");
    }
    return end;
  }

  private int endOffset(byte[] image, int body, int number) {
    int at = body + endsOffset + number * endWidth;
    return endWidth == 2 ? Bytes.shortLe(image, at) & 0xFFFF : Bytes.intLe(image, at);
  }

  void putEndOffset(byte[] image, int body, int number, int value) {
    int at = body + endsOffset + number * endWidth;
    if (endWidth == 2) {
      Bytes.putShortLe(image, at, (short) value);
    } else {
      Bytes.putIntLe(image, at, value);
    }
  }

  void putFixed(byte[] image, int at, int column, long raw) {
    switch (access[column]) {
      case FIXED_4 -> Bytes.putIntLe(image, at, (int) raw);
      case FIXED_8 -> Bytes.putLongLe(image, at, raw);
      case FIXED_2 -> Bytes.putShortLe(image, at, (short) raw);
      case FIXED_1 -> image[at] = (byte) raw;
      case FIXED_REAL ->
          Bytes.putIntLe(image, at, Float.floatToRawIntBits((float) Double.longBitsToDouble(raw)));
      default -> throw new IllegalArgumentException("no long type column=" + column);
    }
  }
}
