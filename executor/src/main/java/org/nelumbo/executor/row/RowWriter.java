package org.nelumbo.executor.row;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.UUID;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;
import org.nelumbo.types.Uuids;

/**
 * Builds row images from raw values: the image of a new row ({@link #begin}), or of a changed row
 * ({@link #beginFrom}), where only the modified columns are encoded. Values are checked against the
 * column when they are set: NOT NULL (23502), length (22001), range (22003).
 *
 * <p>Reusable; makes no garbage once its buffers have grown. Not thread-safe.
 */
public final class RowWriter {
  private static final int INITIAL_BYTES = 512;
  private static final byte UNSET = 0;
  private static final byte NULL = 1;
  private static final byte VALUE = 2;

  /** See {@link #setPending}. */
  private static final byte PENDING = 3;

  private final RowLayout layout;
  private final ValueChecks checks;
  private final byte[] states;
  private final long[] longs;
  private final Object[] objects;
  private final int[] primaryKey;
  private byte[] buffer = new byte[INITIAL_BYTES];

  private byte[] source;
  private int sourceOffset;
  private int sourceLength;
  private boolean keySet;
  private boolean variableSet;
  private boolean keyChanged;

  public RowWriter(RowLayout layout) {
    this.layout = layout;
    this.checks = new ValueChecks(layout.schema());
    int columns = layout.columnCount();
    this.states = new byte[columns];
    this.longs = new long[columns];
    this.objects = new Object[columns];
    this.primaryKey = layout.schema().primaryKey();
  }

  /** Begins a new row, in which columns that are not set are NULL. */
  public void begin() {
    beginFrom(null, 0, 0);
  }

  /**
   * Begins a changed row, in which columns that are not set keep their values. The image must not
   * change before {@link #finish}.
   */
  public void beginFrom(byte[] image, int offset, int length) {
    source = image;
    sourceOffset = offset;
    sourceLength = length;
    keySet = image == null;
    variableSet = image == null;
    Arrays.fill(states, UNSET);
  }

  /** Sets a column to NULL. */
  public void setNull(int column) {
    checks.checkNullable(column);
    mark(column, NULL);
  }

  /**
   * Marks the value of a column outside of the primary key as not known yet. Until it is set,
   * {@link #finish} builds images in which the column is NULL even if it is not nullable, and may
   * be called again.
   */
  public void setPending(int column) {
    mark(column, PENDING);
  }

  /** Sets a column of a {@code long} type. */
  public void setLong(int column, long raw) {
    checks.check(column, raw);
    longs[column] = raw;
    mark(column, VALUE);
  }

  /** Sets a column of an object type. A null value means NULL. */
  public void setObject(int column, Object raw) {
    if (raw == null) {
      setNull(column);
      return;
    }
    objects[column] = checks.check(column, raw);
    mark(column, VALUE);
  }

  private void mark(int column, byte state) {
    states[column] = state;
    keySet |= layout.keyPosition(column) >= 0;
    variableSet |= layout.isVariable(column);
  }

  /**
   * Builds the image.
   *
   * @param key receives the complete primary key of the row
   * @param image becomes a view of the buffer of this writer, valid until the next row is begun
   */
  public void finish(KeyBuffer key, RowBuffer image) {
    int length;
    if (!keySet && !variableSet) {
      length = patch(key);
    } else {
      length = build(key);
    }
    checks.checkRowLength(length);
    layout.finishKey(key);
    image.wrap(buffer, 0, length);
  }

  /** Returns true if the finished row has another primary key than the image it was begun from. */
  public boolean keyChanged() {
    return keyChanged;
  }

  /**
   * Copies the source image and overwrites the columns that are set, all of which have a fixed
   * width and are outside of the key.
   */
  private int patch(KeyBuffer key) {
    ensure(sourceLength);
    System.arraycopy(source, sourceOffset, buffer, 0, sourceLength);
    int body = layout.keyLength(buffer, 0);
    key.clear();
    key.append(buffer, 0, body);
    keyChanged = false;
    for (int column = 0; column < states.length; column++) {
      if (states[column] != UNSET) {
        boolean isNull = states[column] != VALUE;
        putNullBit(body, column, isNull);
        putFixed(body, column, isNull);
      }
    }
    return sourceLength;
  }

  private int build(KeyBuffer key) {
    key.clear();
    for (int position = 0; position < primaryKey.length; position++) {
      appendKeyColumn(key, position, primaryKey[position]);
    }
    int body = key.length;
    keyChanged = source != null && !sameKey(key);
    ensure(body + layout.variableOffset());
    System.arraycopy(key.bytes, 0, buffer, 0, body);
    Arrays.fill(buffer, body, body + layout.variableOffset(), (byte) 0);
    int sourceBody = source == null ? 0 : layout.bodyOffset(source, sourceOffset);
    for (int column = 0; column < states.length; column++) {
      if (layout.keyPosition(column) < 0 && !layout.isVariable(column)) {
        buildFixed(body, sourceBody, column);
      }
    }
    return buildVariable(body, sourceBody);
  }

  private boolean sameKey(KeyBuffer key) {
    int length = layout.keyLength(source, sourceOffset);
    return Arrays.equals(key.bytes, 0, key.length, source, sourceOffset, sourceOffset + length);
  }

  private void appendKeyColumn(KeyBuffer key, int position, int column) {
    if (states[column] == UNSET && source != null) {
      int from = layout.keyColumnOffset(source, sourceOffset, position);
      int to = layout.keyFormat().skip(source, from, position);
      key.append(source, from, to - from);
      return;
    }
    checks.checkSet(column, states[column] == VALUE);
    if (layout.type(column).isLong()) {
      layout.keyFormat().appendLong(key, position, longs[column]);
    } else {
      layout.keyFormat().appendObject(key, position, objects[column]);
    }
  }

  private void buildFixed(int body, int sourceBody, int column) {
    if (states[column] == UNSET && source != null) {
      putNullBit(body, column, layout.isNull(source, sourceOffset, column));
      int position = layout.position(column);
      int width = layout.type(column).fixedWidth();
      System.arraycopy(source, sourceBody + position, buffer, body + position, width);
      return;
    }
    boolean isNull = states[column] != VALUE;
    if (isNull) {
      checkNullable(column);
    }
    putNullBit(body, column, isNull);
    putFixed(body, column, isNull);
  }

  private void checkNullable(int column) {
    if (states[column] != PENDING) {
      checks.checkNullable(column);
    }
  }

  private void putNullBit(int body, int column, boolean isNull) {
    int bit = layout.nullBit(column);
    if (bit >= 0) {
      int at = body + (bit >>> 3);
      int mask = 1 << (bit & 7);
      buffer[at] = (byte) (isNull ? buffer[at] | mask : buffer[at] & ~mask);
    }
  }

  private void putFixed(int body, int column, boolean isNull) {
    int at = body + layout.position(column);
    ColumnType type = layout.type(column);
    if (isNull) {
      Arrays.fill(buffer, at, at + type.fixedWidth(), (byte) 0);
    } else if (type.isLong()) {
      layout.putFixed(buffer, at, column, longs[column]);
    } else if (objects[column] instanceof UUID uuid) {
      Uuids.put(buffer, at, uuid);
    } else {
      Decimals.putWide(buffer, at, (BigDecimal) objects[column], type.scale());
    }
  }

  private int buildVariable(int body, int sourceBody) {
    int base = body + layout.variableOffset();
    int end = base;
    for (int column = 0; column < states.length; column++) {
      if (layout.isVariable(column)) {
        end = appendVariable(body, sourceBody, column, end);
        checks.checkRowLength(end);
        layout.putEndOffset(buffer, body, layout.position(column), end - base);
      }
    }
    return end;
  }

  private int appendVariable(int body, int sourceBody, int column, int end) {
    if (states[column] == UNSET && source != null) {
      int number = layout.position(column);
      int from = layout.variableStart(source, sourceBody, number);
      int length = layout.variableEnd(source, sourceBody, number, from) - from;
      ensure(end + length);
      System.arraycopy(source, from, buffer, end, length);
      putNullBit(body, column, layout.isNull(source, sourceOffset, column));
      return end + length;
    }
    boolean isNull = states[column] != VALUE;
    putNullBit(body, column, isNull);
    if (isNull) {
      checkNullable(column);
      return end;
    }
    return switch (objects[column]) {
      case String text -> appendText(column, text, end);
      case BigDecimal number -> appendBytes(NumericCodec.encode(number), end);
      case Object bytes -> appendBytes((byte[]) bytes, end);
    };
  }

  private int appendText(int column, String text, int end) {
    boolean trimmed = layout.type(column).kind() == Kind.CHAR;
    int chars = trimmed ? Utf8.trimmedLength(text) : text.length();
    checks.checkRowLength(chars);
    ensure(end + chars * Utf8.MAX_BYTES_PER_CHAR);
    return Utf8.encode(text, chars, buffer, end);
  }

  private int appendBytes(byte[] bytes, int end) {
    checks.checkRowLength(bytes.length);
    ensure(end + bytes.length);
    System.arraycopy(bytes, 0, buffer, end, bytes.length);
    return end + bytes.length;
  }

  private void ensure(int length) {
    if (length > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length));
    }
  }
}
