package org.nelumbo.parser.plain;

import java.util.EnumMap;
import java.util.Map;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** Operators of plain expressions, and how strongly they bind, as Calcite has it. */
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

  /** The operator that a token is between two operands; null if it is none. */
  static SqlOperator between(PlainToken token) {
    return BETWEEN_OPERANDS.get(token);
  }

  /** How strongly a prefix binds what follows. */
  static int ofPrefix(SqlOperator operator) {
    return 2 * operator.getLeftPrec();
  }

  /** How strongly a suffix binds what is before it. */
  static int ofSuffix(SqlOperator operator) {
    return 2 * operator.getRightPrec();
  }

  /** How strongly an operator between operands binds the left one. */
  static int left(SqlOperator operator) {
    return 2 * operator.getLeftPrec() + (isLeftAssociative(operator) ? 0 : 1);
  }

  /** How strongly an operator between operands binds the right one. */
  static int right(SqlOperator operator) {
    return 2 * operator.getLeftPrec() + (isLeftAssociative(operator) ? 1 : 0);
  }

  private static boolean isLeftAssociative(SqlOperator operator) {
    return operator.getLeftPrec() < operator.getRightPrec();
  }
}
