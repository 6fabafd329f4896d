package org.nelumbo.executor.expr;

import java.util.HexFormat;
import java.util.UUID;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Kind;
import org.nelumbo.executor.row.Uuids;

/** Casts to UUID, of text and of 16 bytes. */
public final class UuidCasts {
  private static final int DIGITS = 32;
  private static final int DIGITS_OF_LONG = 16;

  private UuidCasts() {}

  /** The cast, or null if there is none. */
  static Expression to(ColumnType target, Expression operand) {
    Kind from = operand.type().kind();
    if (from == Kind.UUID) {
      return operand;
    } else if (from.isCharacter()) {
      return new ObjectFunctionCall(
          CastSupport.name(target),
          target,
          (f, a) -> {
            String text = (String) a[0].evalObject(f);
            return text == null ? null : parse(text);
          },
          operand);
    } else if (from.isBinary()) {
      return new ObjectFunctionCall(
          CastSupport.name(target),
          target,
          (f, a) -> {
            byte[] bytes = (byte[]) a[0].evalObject(f);
            return bytes == null ? null : ofBytes(bytes);
          },
          operand);
    }
    return null;
  }

  private static UUID ofBytes(byte[] bytes) {
    if (bytes.length != Uuids.BYTES) {
      throw CastSupport.bad(bytes.length + " bytes", ColumnType.of(Kind.UUID));
    }
    return Uuids.of(bytes);
  }

  /**
   * The UUID that a text is: 32 hexadecimal digits of any case, with hyphens in the usual places or
   * none, in braces or not.
   *
   * @throws NelumboException BAD_CAST if it is none
   */
  public static UUID parse(String text) {
    String bare = text.strip();
    if (bare.startsWith("{") && bare.endsWith("}")) {
      bare = bare.substring(1, bare.length() - 1);
    }
    String digits = isHyphenated(bare) ? bare.replace("-", "") : bare;
    if (digits.length() != DIGITS || !digits.chars().allMatch(HexFormat::isHexDigit)) {
      throw CastSupport.bad(text, ColumnType.of(Kind.UUID));
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
