package org.nelumbo.planner.validate;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.planner.type.SqlErrors;

/**
 * Rewrites {@code COUNT(*) FILTER (WHERE c) OVER (...)}, which Calcite does not support, as {@code
 * COUNT(CASE WHEN c THEN 1 END) OVER (...)}. The two are equivalent because aggregates ignore
 * NULLs.
 */
final class FilteredAggregate {
  private FilteredAggregate() {}

  /**
   * Returns the aggregate function without FILTER, over values that are NULL where the condition
   * does not hold.
   */
  static SqlNode withoutFilter(SqlCall filter) {
    SqlCall aggregate = filter.operand(0);
    if (aggregate.operandCount() == 0) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "FILTER is for aggregate functions, and "
              + aggregate.getOperator()
              + " is not an aggregate function",
          filter.getParserPosition());
    }
    SqlParserPos pos = aggregate.getParserPosition();
    SqlNode value = aggregate.operand(0);
    if (value instanceof SqlIdentifier name && name.isStar()) {
      value = SqlLiteral.createExactNumeric("1", pos);
    }
    SqlNode condition = filter.operand(1);
    aggregate.setOperand(
        0,
        new SqlCase(
            pos,
            null,
            SqlNodeList.of(condition),
            SqlNodeList.of(value),
            SqlLiteral.createNull(pos)));
    return aggregate;
  }
}
