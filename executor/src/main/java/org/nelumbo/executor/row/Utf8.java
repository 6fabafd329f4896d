package org.nelumbo.executor.row;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;

/** Encodes and decodes UTF-8 without garbage, with a fast path for ASCII. */
final class Utf8 {
  /** Maximum number of bytes for a {@code char} of a string. */
  static final int MAX_BYTES_PER_CHAR = 3;

  private Utf8() {}

  /**
   * Encodes the first {@code chars} chars of {@code text}. The target must have space for {@link
   * #MAX_BYTES_PER_CHAR} times as many bytes.
   *
   * @return end index of the encoded bytes
   * @throws NelumboException BAD_CHARACTER for an unpaired surrogate
   */
  static int encode(String text, int chars, byte[] target, int at) {
    int i = 0;
    int end = at;
    for (; i < chars; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        return encodeRest(text, i, chars, target, end);
      }
      target[end++] = (byte) c;
    }
    return end;
  }

  private static int encodeRest(String text, int from, int chars, byte[] target, int at) {
    int end = at;
    for (int i = from; i < chars; i++) {
      int c = text.charAt(i);
      if (c < 0x80) {
        target[end++] = (byte) c;
      } else if (c < 0x800) {
        target[end++] = (byte) (0xC0 | c >> 6);
        target[end++] = (byte) (0x80 | c & 0x3F);
      } else if (Character.isSurrogate((char) c)) {
        i++;
        end = encodePair((char) c, i < chars ? text.charAt(i) : 0, target, end);
      } else {
        target[end++] = (byte) (0xE0 | c >> 12);
        target[end++] = (byte) (0x80 | c >> 6 & 0x3F);
        target[end++] = (byte) (0x80 | c & 0x3F);
      }
    }
    return end;
  }

  private static int encodePair(char high, char low, byte[] target, int at) {
    if (!Character.isSurrogatePair(high, low)) {
      throw new NelumboException(
          ErrorCode.BAD_CHARACTER,
          "text contains half a surrogate pair; it is no valid Unicode text char="
              + Integer.toHexString(high));
    }
    int point = Character.toCodePoint(high, low);
    target[at] = (byte) (0xF0 | point >> 18);
    target[at + 1] = (byte) (0x80 | point >> 12 & 0x3F);
    target[at + 2] = (byte) (0x80 | point >> 6 & 0x3F);
    target[at + 3] = (byte) (0x80 | point & 0x3F);
    return at + 4;
  }

  static String decode(byte[] bytes, int at, int length) {
    return new String(bytes, at, length, StandardCharsets.UTF_8);
  }

  /** Returns true if the bytes are the encoding of the first {@code chars} chars of a text. */
  static boolean equals(byte[] bytes, int at, int length, String text, int chars) {
    if (length < chars || length > chars * MAX_BYTES_PER_CHAR) {
      return false;
    }
    for (int i = 0; i < chars; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        return decode(bytes, at, length).equals(text.substring(0, chars));
      } else if (bytes[at + i] != (byte) c) {
        return false;
      }
    }
    return length == chars;
  }

  /** Returns the number of characters (code points). */
  static int count(byte[] bytes, int at, int length) {
    int count = 0;
    for (int i = at; i < at + length; i++) {
      count += (bytes[i] & 0xC0) != 0x80 ? 1 : 0;
    }
    return count;
  }

  /** Decodes a text and pads it with blanks to {@code width} characters. */
  static String decodePadded(byte[] bytes, int at, int length, int width) {
    int missing = width == ColumnType.UNLIMITED ? 0 : width - count(bytes, at, length);
    if (missing <= 0) {
      return decode(bytes, at, length);
    }
    byte[] padded = new byte[length + missing];
    System.arraycopy(bytes, at, padded, 0, length);
    Arrays.fill(padded, length, padded.length, (byte) ' ');
    return decode(padded, 0, padded.length);
  }

  /** Returns the length of {@code text} without trailing blanks, in chars. */
  static int trimmedLength(String text) {
    int length = text.length();
    while (length > 0 && text.charAt(length - 1) == ' ') {
      length--;
    }
    return length;
  }
}
