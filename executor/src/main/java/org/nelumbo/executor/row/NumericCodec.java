package org.nelumbo.executor.row;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.Bytes;
import org.nelumbo.types.Decimals;

/**
 * Encodes NUMERIC values as bytes whose lexicographic order is the order of the values. Rows hold
 * these bytes as they are; keys hold them escaped and terminated like VARBINARY.
 *
 * <pre>
 *  0     8000
 *  &gt; 0   C000 + e (2 bytes), then the digits of 0.D1D2D3... * 100^e: D1 is not 0; each digit,
 *        0 to 99, is the byte D + 2; there are no zeros at the end
 *  &lt; 0   the complement of the encoding of the absolute value, then FF
 * </pre>
 */
final class NumericCodec {
  private static final int ZERO = 0x8000;
  private static final int POSITIVE = 0xC000;
  private static final int MOST_EXPONENT = Decimals.NUMERIC_DIGITS / 2 + 1;
  private static final int EXPONENT_BYTES = 2;
  private static final int DIGIT_BIAS = 2;
  private static final int BASE = 100;

  /** Maximum number of base-100 digits in a {@code long}. */
  private static final int LONG_DIGITS = 9;

  private NumericCodec() {}

  /** Encodes a value in the canonical form of {@link Decimals#toNumeric}. */
  static byte[] encode(BigDecimal value) {
    if (value.signum() == 0) {
      return new byte[] {(byte) (ZERO >> Byte.SIZE), 0};
    }
    String decimals = value.unscaledValue().abs().toString();
    int point = decimals.length() - value.scale();
    int exponent = Math.floorDiv(point + 1, 2);
    int lead = 2 * exponent - point; // 1 if a zero precedes the first digit
    int pairs = (lead + decimals.length() + 1) / 2;
    while (pair(decimals, lead, pairs - 1) == 0) {
      pairs--;
    }
    boolean negative = value.signum() < 0;
    byte[] bytes = new byte[EXPONENT_BYTES + pairs + (negative ? 1 : 0)];
    Bytes.putShortBe(bytes, 0, (short) (POSITIVE + exponent));
    for (int i = 0; i < pairs; i++) {
      bytes[EXPONENT_BYTES + i] = (byte) (pair(decimals, lead, i) + DIGIT_BIAS);
    }
    if (negative) {
      KeyEncoder.complement(bytes, 0, bytes.length);
    }
    return bytes;
  }

  /** Returns the i-th base-100 digit; positions before and after the decimal digits are zeros. */
  private static int pair(String decimals, int lead, int i) {
    int at = 2 * i - lead;
    return 10 * digit(decimals, at) + digit(decimals, at + 1);
  }

  private static int digit(String decimals, int at) {
    return at >= 0 && at < decimals.length() ? decimals.charAt(at) - '0' : 0;
  }

  /** Decodes a value. The result does not refer to the array. */
  static BigDecimal decode(byte[] bytes, int offset, int length) {
    if (length < EXPONENT_BYTES) {
      throw damaged();
    }
    int head = Bytes.shortBe(bytes, offset) & 0xFFFF;
    if (head == ZERO) {
      return BigDecimal.ZERO;
    }
    boolean negative = head < ZERO;
    int exponent = (negative ? ~head & 0xFFFF : head) - POSITIVE;
    int pairs = length - EXPONENT_BYTES - (negative ? 1 : 0);
    if (pairs < 1 || Math.abs(exponent) > MOST_EXPONENT) {
      throw damaged();
    }
    BigInteger unscaled = unscaled(bytes, offset + EXPONENT_BYTES, pairs, negative ? -1 : 0);
    BigDecimal value = new BigDecimal(unscaled, 2 * (pairs - exponent));
    return Decimals.toNumeric(negative ? value.negate() : value);
  }

  private static BigInteger unscaled(byte[] bytes, int offset, int pairs, int flip) {
    if (pairs <= LONG_DIGITS) {
      long value = 0;
      for (int i = 0; i < pairs; i++) {
        value = value * BASE + digitOf(bytes[offset + i] ^ flip);
      }
      return BigInteger.valueOf(value);
    }
    char[] decimals = new char[2 * pairs];
    for (int i = 0; i < pairs; i++) {
      int digit = digitOf(bytes[offset + i] ^ flip);
      decimals[2 * i] = (char) ('0' + digit / 10);
      decimals[2 * i + 1] = (char) ('0' + digit % 10);
    }
    return new BigInteger(new String(decimals));
  }

  private static int digitOf(int encoded) {
    int digit = (encoded & 0xFF) - DIGIT_BIAS;
    if (digit < 0 || digit >= BASE) {
      throw damaged();
    }
    return digit;
  }

  private static NelumboException damaged() {
    return DamagedRow.because("a NUMERIC has an invalid digit");
  }
}
