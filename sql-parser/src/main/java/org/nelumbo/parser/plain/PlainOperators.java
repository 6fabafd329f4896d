package org.nelumbo.parser.plain;

import java.util.EnumMap;
import java.util.Map;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** Operators of simple expressions, with Calcite's precedences. */
final class PlainOperators {
  private static final Map<PlainToken, SqlOperator> BETWEEN_OPERANDS =
      new EnumMap<>(
          Map.ofEntries(
              Map.entry(PlainToken.STAR, SqlStdOperatorTable.MULTIPLY),
              Map.entry(PlainToken.PLUS, SqlStdOperatorTable.PLUS),
              Map.entry(PlainToken.MINUS, SqlStdOperatorTable.MINUS),
              Map.entry(PlainToken.SLASH, SqlStdOperatorTable.DIVIDE),
              Map.entry(PlainToken.PERCENT, SqlStdOperatorTable.PERCENT_REMAINDER),
              Map.entry(PlainToken.CONCAT, SqlStdOperatorTable.CONCAT),
              Map.entry(PlainToken.EQUAL, SqlStdOperatorTable.EQUALS),
              Map.entry(PlainToken.NOT_EQUAL, SqlStdOperatorTable.NOT_EQUALS),
              Map.entry(PlainToken.LESS, SqlStdOperatorTable.LESS_THAN),
              Map.entry(PlainToken.LESS_OR_EQUAL, SqlStdOperatorTable.LESS_THAN_OR_EQUAL),
              Map.entry(PlainToken.GREATER, SqlStdOperatorTable.GREATER_THAN),
              Map.entry(PlainToken.GREATER_OR_EQUAL, SqlStdOperatorTable.GREATER_THAN_OR_EQUAL),
              Map.entry(PlainToken.AND, SqlStdOperatorTable.AND),
              Map.entry(PlainToken.OR, SqlStdOperatorTable.OR)));

  private PlainOperators() {}

  /** Returns the infix operator of a token, or null if it is not one. */
  static SqlOperator between(PlainToken token) {
    return BETWEEN_OPERANDS.get(token);
  }

  /** Returns the precedence of a prefix for the following operand. */
  static int ofPrefix(SqlOperator operator) {
    return 2 * operator.getLeftPrec();
  }

  /** Returns the precedence of a suffix for the preceding operand. */
  static int ofSuffix(SqlOperator operator) {
    return 2 * operator.getRightPrec();
  }

  /** Returns the precedence of an infix operator for its left operand. */
  static int left(SqlOperator operator) {
    return 2 * operator.getLeftPrec() + (isLeftAssociative(operator) ? 0 : 1);
  }

  /** Returns the precedence of an infix operator for its right operand. */
  static int right(SqlOperator operator) {
    return 2 * operator.getLeftPrec() + (isLeftAssociative(operator) ? 1 : 0);
  }

  private static boolean isLeftAssociative(SqlOperator operator) {
    return operator.getLeftPrec() < operator.getRightPrec();
  }
}
