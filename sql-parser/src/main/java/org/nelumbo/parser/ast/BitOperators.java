package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlPrefixOperator;

/**
 * Bitwise operators, the power operator of PostgreSQL, and DIV of MySQL. Bitwise operators have a
 * lower precedence than arithmetic and a higher one than comparisons; the power operator has a
 * higher precedence than multiplication.
 */
public final class BitOperators {
  private static final int OF_BITS = 36;

  private static final int OF_QUOTIENT = 60;

  private static final int OF_POWER = 70;

  private static final int OF_SIGN = 80;

  /** {@code a & b}. */
  public static final SqlBinaryOperator AND = binary("&", OF_BITS);

  /** {@code a | b}. */
  public static final SqlBinaryOperator OR = binary("|", OF_BITS);

  /** {@code a << b}. */
  public static final SqlBinaryOperator SHIFT_LEFT = binary("<<", OF_BITS);

  /** {@code a >> b}. */
  public static final SqlBinaryOperator SHIFT_RIGHT = binary(">>", OF_BITS);

  /** {@code a ^ b}: a to the power of b. */
  public static final SqlBinaryOperator POWER = binary("^", OF_POWER);

  /** {@code a DIV b} of MySQL: the integer part of the quotient. */
  public static final SqlBinaryOperator DIV = binary("DIV", OF_QUOTIENT);

  /** {@code ~a}. */
  public static final SqlPrefixOperator NOT =
      new SqlPrefixOperator("~", SqlKind.OTHER, OF_SIGN, null, null, null);

  private BitOperators() {}

  private static SqlBinaryOperator binary(String name, int precedence) {
    return new SqlBinaryOperator(name, SqlKind.OTHER, precedence, true, null, null, null);
  }
}
