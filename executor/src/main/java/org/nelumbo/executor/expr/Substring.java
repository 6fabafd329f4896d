package org.nelumbo.executor.expr;

import java.util.Arrays;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * SUBSTRING: the characters from a position on. Positions before the first character count for the
 * length, but yield no characters.
 */
final class Substring {
  private Substring() {}

  static Object eval(Frame frame, Expression[] arguments) {
    Object source = arguments[0].evalObject(frame);
    if (source == null) {
      return null;
    }
    long from = arguments[1].evalLong(frame);
    long length = Integer.MAX_VALUE;
    if (!frame.isNull && arguments.length > 2) {
      length = arguments[2].evalLong(frame);
    }
    if (frame.takeNull()) {
      return null;
    }
    if (length < 0) {
      throw new NelumboException(
          ErrorCode.BAD_SUBSTRING, "SUBSTRING length is negative length=" + length);
    }
    frame.limits().workOnText(source instanceof String all ? all.length() : 0);
    return source instanceof String text
        ? ofText(text, from, length)
        : ofBinary((byte[]) source, from, length);
  }

  private static String ofText(String text, long from, long length) {
    int points = text.codePointCount(0, text.length());
    int start = clamp(from - 1, points);
    int end = clamp(from - 1 + length, points);
    if (points == text.length()) {
      return text.substring(start, end);
    }
    int first = text.offsetByCodePoints(0, start);
    return text.substring(first, text.offsetByCodePoints(first, end - start));
  }

  private static byte[] ofBinary(byte[] bytes, long from, long length) {
    return Arrays.copyOfRange(
        bytes, clamp(from - 1, bytes.length), clamp(from - 1 + length, bytes.length));
  }

  private static int clamp(long position, int most) {
    return (int) Math.max(0, Math.min(position, most));
  }
}
