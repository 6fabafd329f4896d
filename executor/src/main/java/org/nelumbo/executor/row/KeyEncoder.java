package org.nelumbo.executor.row;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.UUID;
import org.nelumbo.types.Bytes;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;
import org.nelumbo.types.Uuids;

/**
 * Encodes single values in normalized form, in which unsigned byte order is value order.
 *
 * <pre>
 *  nullable types only    1 byte: 0 NULL (sorts first, nothing follows), 1 a value follows
 *  integers, DATE, TIME,  big-endian, sign bit flipped, in the type's fixed width; DECIMAL by its
 *  TIMESTAMP, DECIMAL     unscaled value
 *  REAL, DOUBLE           IEEE bits, all flipped if negative, otherwise only the sign; -0 becomes 0
 *  CHAR, VARCHAR          UTF-8, CHAR without trailing blanks; byte 0 becomes 1 1, byte 1 becomes
 *                         1 2; terminated by a byte 0
 *  BINARY, VARBINARY      like VARCHAR
 *  UUID                   its 16 bytes
 *  NUMERIC                the bytes of {@link NumericCodec}, like VARBINARY
 * </pre>
 *
 * The encoding of a descending column is the complement of the above, so NULLs sort last. No
 * encoding is a prefix of another one of the same type, so concatenation preserves the order.
 * Stateless.
 */
public final class KeyEncoder {
  private static final byte NULL_MARKER = 0;
  private static final byte VALUE_MARKER = 1;
  private static final int ESCAPE = 1;

  private KeyEncoder() {}

  /** Returns the maximum length of an encoded value in bytes. */
  static long longest(ColumnType type) {
    long marker = type.nullable() ? 1 : 0;
    if (type.fixedWidth() > 0) {
      return marker + type.fixedWidth();
    }
    // An escaped byte takes two. In text only one-byte characters are escaped, and mostBytes counts
    // four bytes for each character.
    long bytes = type.kind().isCharacter() ? type.mostBytes() : 2 * type.mostBytes();
    return marker + bytes + 1;
  }

  /** Appends NULL of a nullable type. */
  public static void appendNull(KeyBuffer key, boolean descending) {
    appendByte(key, descending ? ~NULL_MARKER : NULL_MARKER);
  }

  /**
   * Appends the marker that every value except NULL of a nullable type starts with: the lower bound
   * of a range without NULLs.
   */
  public static void appendValueMarker(KeyBuffer key, boolean descending) {
    appendByte(key, descending ? ~VALUE_MARKER : VALUE_MARKER);
  }

  private static void appendByte(KeyBuffer key, int value) {
    key.ensure(1);
    key.bytes[key.length++] = (byte) value;
  }

  /** Appends a raw value of a {@code long} type. The value must be in the range of the type. */
  public static void appendLong(KeyBuffer key, ColumnType type, boolean descending, long raw) {
    key.ensure(9);
    int start = key.length;
    if (type.nullable()) {
      key.bytes[key.length++] = VALUE_MARKER;
    }
    int width = type.fixedWidth();
    putLong(key.bytes, key.length, type, width, raw);
    key.length += width;
    if (descending) {
      complement(key.bytes, start, key.length);
    }
  }

  private static void putLong(byte[] bytes, int at, ColumnType type, int width, long raw) {
    if (type.kind().isFloating()) {
      putFloating(bytes, at, width, raw);
      return;
    }
    switch (width) {
      case 1 -> bytes[at] = (byte) (type.kind() == Kind.BOOLEAN ? raw : raw ^ 0x80);
      case 2 -> Bytes.putShortBe(bytes, at, (short) (raw ^ 0x8000));
      case 4 -> Bytes.putIntBe(bytes, at, (int) raw ^ Integer.MIN_VALUE);
      default -> Bytes.putLongBe(bytes, at, raw ^ Long.MIN_VALUE);
    }
  }

  private static void putFloating(byte[] bytes, int at, int width, long raw) {
    double value = Double.longBitsToDouble(raw) + 0.0;
    if (width == 4) {
      int bits = Float.floatToIntBits((float) value);
      Bytes.putIntBe(bytes, at, bits ^ (bits >> 31 | Integer.MIN_VALUE));
    } else {
      long bits = Double.doubleToLongBits(value);
      Bytes.putLongBe(bytes, at, bits ^ (bits >> 63 | Long.MIN_VALUE));
    }
  }

  /** Appends a raw value of an object type. */
  public static void appendObject(KeyBuffer key, ColumnType type, boolean descending, Object raw) {
    int start = key.length;
    if (type.nullable()) {
      appendByte(key, VALUE_MARKER);
    }
    switch (type.kind()) {
      case CHAR -> appendText(key, (String) raw, Utf8.trimmedLength((String) raw));
      case VARCHAR -> appendText(key, (String) raw, ((String) raw).length());
      case DECIMAL -> {
        key.ensure(Decimals.WIDE_BYTES);
        Decimals.putWide(key.bytes, key.length, (BigDecimal) raw, type.scale());
        key.length += Decimals.WIDE_BYTES;
      }
      case UUID -> {
        key.ensure(Uuids.BYTES);
        Uuids.put(key.bytes, key.length, (UUID) raw);
        key.length += Uuids.BYTES;
      }
      case NUMERIC -> appendBytes(key, NumericCodec.encode((BigDecimal) raw));
      default -> appendBytes(key, (byte[]) raw);
    }
    if (descending) {
      complement(key.bytes, start, key.length);
    }
  }

  /**
   * Eight characters at a time: the key is hashed or compared in words soon afterwards, and a word
   * that has just been written byte by byte cannot be loaded without a delay.
   */
  private static void appendText(KeyBuffer key, String text, int chars) {
    key.ensure(chars + 1);
    byte[] bytes = key.bytes;
    int at = key.length;
    int i = 0;
    boolean usual = true;
    for (; i <= chars - Long.BYTES && usual; i += Long.BYTES) {
      long word = 0;
      for (int j = Long.BYTES - 1; j >= 0; j--) {
        char c = text.charAt(i + j);
        usual &= isUsual(c);
        word = word << Byte.SIZE | c;
      }
      Bytes.putLongLe(bytes, at + i, word);
    }
    for (; i < chars && usual; i++) {
      char c = text.charAt(i);
      usual = isUsual(c);
      bytes[at + i] = (byte) c;
    }
    if (!usual) {
      appendUnusualText(key, text, chars);
      return;
    }
    bytes[at + chars] = 0;
    key.length = at + chars + 1;
  }

  private static boolean isUsual(char c) {
    return c > ESCAPE && c < 0x80;
  }

  private static void appendUnusualText(KeyBuffer key, String text, int chars) {
    byte[] utf8 = new byte[chars * Utf8.MAX_BYTES_PER_CHAR];
    appendEscaped(key, utf8, 0, Utf8.encode(text, chars, utf8, 0));
  }

  private static void appendBytes(KeyBuffer key, byte[] bytes) {
    appendEscaped(key, bytes, 0, bytes.length);
  }

  /** Appends bytes as a string of a key: escaped and terminated, without a marker. */
  static void appendEscaped(KeyBuffer key, byte[] source, int offset, int count) {
    key.ensure(2 * count + 1);
    byte[] target = key.bytes;
    int at = key.length;
    for (int i = offset; i < offset + count; i++) {
      byte b = source[i];
      if ((b & ~1) == 0) {
        target[at++] = ESCAPE;
        b++;
      }
      target[at++] = b;
    }
    target[at++] = 0;
    key.length = at;
  }

  /**
   * Complements a part of a key, which converts between the encodings of ascending and descending
   * columns.
   */
  public static void complement(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
  }

  /** Returns true if the value at index {@code at} is NULL. */
  public static boolean isNull(byte[] bytes, int at, ColumnType type, boolean descending) {
    return type.nullable() && bytes[at] == (descending ? ~NULL_MARKER : NULL_MARKER);
  }

  /** Decodes the value of a {@code long} type at index {@code at}, which is not NULL. */
  public static long longAt(byte[] bytes, int at, ColumnType type, boolean descending) {
    int from = type.nullable() ? at + 1 : at;
    int width = type.fixedWidth();
    long flip = descending ? -1 : 0;
    if (type.kind().isFloating()) {
      return floatingAt(bytes, from, width, flip);
    }
    return switch (width) {
      case 1 -> {
        int value = (byte) (bytes[from] ^ flip);
        yield type.kind() == Kind.BOOLEAN ? value : (byte) (value ^ 0x80);
      }
      case 2 -> (short) (Bytes.shortBe(bytes, from) ^ flip ^ 0x8000);
      case 4 -> (int) (Bytes.intBe(bytes, from) ^ flip ^ Integer.MIN_VALUE);
      default -> Bytes.longBe(bytes, from) ^ flip ^ Long.MIN_VALUE;
    };
  }

  private static long floatingAt(byte[] bytes, int at, int width, long flip) {
    if (width == 4) {
      int sorted = Bytes.intBe(bytes, at) ^ (int) flip;
      int bits = sorted < 0 ? sorted ^ Integer.MIN_VALUE : ~sorted;
      return Double.doubleToRawLongBits(Float.intBitsToFloat(bits));
    }
    long sorted = Bytes.longBe(bytes, at) ^ flip;
    return sorted < 0 ? sorted ^ Long.MIN_VALUE : ~sorted;
  }

  /**
   * Decodes the value of an object type at index {@code at}, which is not NULL. CHAR values are
   * padded with blanks.
   */
  public static Object objectAt(byte[] bytes, int at, ColumnType type, boolean descending) {
    assert !type.isLong() : "no object type " + type;
    int from = type.nullable() ? at + 1 : at;
    int width = type.fixedWidth();
    if (width > 0) {
      byte[] wide = Arrays.copyOfRange(bytes, from, from + width);
      if (descending) {
        complement(wide, 0, wide.length);
      }
      return type.kind() == Kind.UUID ? Uuids.of(wide) : Decimals.wideAt(wide, 0, type.scale());
    }
    byte[] plain = unescape(bytes, from, descending);
    return switch (type.kind()) {
      case CHAR -> Utf8.decodePadded(plain, 0, plain.length, type.precision());
      case VARCHAR -> Utf8.decode(plain, 0, plain.length);
      case NUMERIC -> NumericCodec.decode(plain, 0, plain.length);
      default -> plain;
    };
  }

  private static byte[] unescape(byte[] bytes, int from, boolean descending) {
    int end = KeyScan.terminator(bytes, from, descending);
    byte[] plain = Arrays.copyOfRange(bytes, from, end);
    if (descending) {
      complement(plain, 0, plain.length);
    }
    int to = 0;
    for (int i = 0; i < plain.length; i++) {
      byte b = plain[i];
      if (b == ESCAPE) {
        if (++i == plain.length) {
          throw DamagedRow.because("a text in its key ends within a character");
        }
        b = (byte) (plain[i] - 1);
      }
      plain[to++] = b;
    }
    return to == plain.length ? plain : java.util.Arrays.copyOf(plain, to);
  }

  /** Returns the end index of the value at index {@code at}. */
  public static int skip(byte[] bytes, int at, ColumnType type, boolean descending) {
    if (isNull(bytes, at, type, descending)) {
      return at + 1;
    }
    int from = type.nullable() ? at + 1 : at;
    int width = type.fixedWidth();
    return width > 0 ? from + width : KeyScan.terminator(bytes, from, descending) + 1;
  }

  /**
   * Returns the end index as {@link #skip} does, or an index beyond the end of the key if the value
   * does not end within it.
   */
  static int skipWithin(KeyBuffer key, int at, ColumnType type, boolean descending) {
    if (isNull(key.bytes, at, type, descending)) {
      return at + 1;
    }
    int from = type.nullable() ? at + 1 : at;
    if (type.fixedWidth() > 0) {
      return from + type.fixedWidth();
    }
    byte end = (byte) (descending ? -1 : 0);
    while (from < key.length && key.bytes[from] != end) {
      from++;
    }
    return from + 1;
  }

  /** Returns true if {@code other} is the result of {@link #toPrefixSuccessor} for {@code key}. */
  public static boolean isPrefixSuccessor(KeyBuffer key, KeyBuffer other) {
    int last = key.length - 1;
    while (last >= 0 && key.bytes[last] == -1) {
      last--;
    }
    return other.length == last + 1
        && (last < 0
            || other.bytes[last] == (byte) (key.bytes[last] + 1)
                && Arrays.equals(key.bytes, 0, last, other.bytes, 0, last));
  }

  /**
   * Replaces {@code key} by the smallest key that is greater than every key with this prefix.
   *
   * @return false if there is no such key (all bytes are 255), so that the range has no upper end;
   *     the key is then empty
   */
  public static boolean toPrefixSuccessor(KeyBuffer key) {
    while (key.length > 0) {
      if (key.bytes[key.length - 1] != -1) {
        key.bytes[key.length - 1]++;
        return true;
      }
      key.length--;
    }
    return false;
  }
}
