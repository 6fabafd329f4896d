package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import org.nelumbo.types.ColumnType;

/** Components shared by all casts: their text for EXPLAIN, and the parsing of numbers. */
final class CastSupport {
  private static final int LONGEST_NUMBER = 2_010;
  private static final int GREATEST_SCALE = 2000;
  private static final int SHOWN = 40;

  private CastSupport() {}

  static String name(ColumnType target) {
    return "CAST(% AS " + target.sqlName() + ")";
  }

  /**
   * Parses a text as a number; fails with BAD_CAST if it is not a number, or with
   * NUMBER_OUT_OF_RANGE.
   */
  static BigDecimal parseNumber(String text, ColumnType target) {
    String digits = text.strip();
    try {
      if (digits.length() > LONGEST_NUMBER) {
        throw target.cannotCast(digits.substring(0, SHOWN) + "...");
      }
      BigDecimal value = new BigDecimal(digits);
      if (Math.abs((long) value.scale()) > GREATEST_SCALE) {
        throw ExactNumbers.outOfRange(target);
      }
      return value;
    } catch (NumberFormatException notANumber) {
      throw target.cannotCast(text);
    }
  }
}
