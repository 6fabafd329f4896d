package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlPrefixOperator;

/**
 * Operators of bits, and the power of numbers, as PostgreSQL writes them. Those of bits bind less
 * than arithmetic and more than comparisons, the power binds more than multiplication.
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

  /** {@code a DIV b} of MySQL: the whole part of the quotient. */
  public static final SqlBinaryOperator DIV = binary("DIV", OF_QUOTIENT);

  /** {@code ~a}. */
  public static final SqlPrefixOperator NOT =
      new SqlPrefixOperator("~", SqlKind.OTHER, OF_SIGN, null, null, null);

  private BitOperators() {}

  private static SqlBinaryOperator binary(String name, int precedence) {
    return new SqlBinaryOperator(name, SqlKind.OTHER, precedence, true, null, null, null);
  }
}
