package org.nelumbo.planner.frontend;

import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;

/**
 * Replaces the stars of a view's query by the columns that exist when the view is created. Columns
 * that are added to a table later are not in the view.
 */
final class StarPinning {
  private StarPinning() {}

  /**
   * Replaces stars.
   *
   * @param query the original query
   * @param validated the same query after validation
   */
  static void pin(SqlNode query, SqlNode validated) {
    switch (query) {
      case SqlOrderBy ordered ->
          pin(ordered.query, validated instanceof SqlOrderBy other ? other.query : validated);
      case SqlWith with ->
          pin(with.body, validated instanceof SqlWith other ? other.body : validated);
      case SqlSelect select -> {
        if (validated instanceof SqlSelect other && hasStar(select.getSelectList())) {
          SqlNodeList items = new SqlNodeList(select.getSelectList().getParserPosition());
          other.getSelectList().forEach(items::add);
          select.setSelectList(items);
        }
      }
      case SqlBasicCall call -> {
        if (validated instanceof SqlBasicCall other
            && call.operandCount() == 2
            && other.operandCount() == 2) {
          pin(call.operand(0), other.operand(0));
          pin(call.operand(1), other.operand(1));
        }
      }
      default -> {}
    }
  }

  private static boolean hasStar(SqlNodeList items) {
    return items.stream().anyMatch(item -> item instanceof SqlIdentifier name && name.isStar());
  }
}
