package org.nelumbo.types;

import java.util.HexFormat;
import java.util.UUID;
import org.nelumbo.error.NelumboException;

/**
 * Conversions between UUIDs, their 16 bytes and their texts. UUIDs are ordered by their bytes,
 * unsigned.
 */
public final class Uuids {
  /** Size of a UUID in bytes. */
  public static final int BYTES = 16;

  private static final int DIGITS = 32;
  private static final int DIGITS_OF_LONG = 16;

  private Uuids() {}

  /** Returns the UUID of 16 bytes. */
  public static UUID of(byte[] bytes) {
    return at(bytes, 0);
  }

  /** Returns the 16 bytes of a UUID. */
  public static byte[] bytes(UUID value) {
    byte[] bytes = new byte[BYTES];
    put(bytes, 0, value);
    return bytes;
  }

  /** Writes a UUID as 16 bytes. */
  public static void put(byte[] bytes, int at, UUID value) {
    Bytes.putLongBe(bytes, at, value.getMostSignificantBits());
    Bytes.putLongBe(bytes, at + Long.BYTES, value.getLeastSignificantBits());
  }

  /** Reads a UUID from 16 bytes. */
  public static UUID at(byte[] bytes, int at) {
    return new UUID(Bytes.longBe(bytes, at), Bytes.longBe(bytes, at + Long.BYTES));
  }

  /**
   * Compares two UUIDs by their unsigned bytes, as PostgreSQL does. {@link UUID#compareTo} compares
   * signed numbers instead.
   */
  public static int compare(UUID left, UUID right) {
    int high = Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
  }

  /**
   * Parses a UUID: 32 hexadecimal digits of any case, with the hyphens of the canonical form or
   * without hyphens, optionally in braces.
   *
   * @throws NelumboException BAD_CAST if the text is not a UUID
   */
  public static UUID parse(String text) {
    String bare = text.strip();
    if (bare.startsWith("{") && bare.endsWith("}")) {
      bare = bare.substring(1, bare.length() - 1);
    }
    String digits = isHyphenated(bare) ? bare.replace("-", "") : bare;
    if (digits.length() != DIGITS || !digits.chars().allMatch(HexFormat::isHexDigit)) {
      throw ColumnType.of(Kind.UUID).cannotCast(text);
    }
    return new UUID(
        HexFormat.fromHexDigitsToLong(digits, 0, DIGITS_OF_LONG),
        HexFormat.fromHexDigitsToLong(digits, DIGITS_OF_LONG, DIGITS));
  }

  private static boolean isHyphenated(String text) {
    return text.length() == DIGITS + 4
        && text.charAt(8) == '-'
        && text.charAt(13) == '-'
        && text.charAt(18) == '-'
        && text.charAt(23) == '-';
  }
}
