package org.nelumbo.executor.op.aggregate;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.row.ColumnType;

/**
 * An aggregate function in a plan.
 *
 * @param argument null for {@code COUNT(*)}
 * @param distinct whether equal arguments count once
 * @param filter rows for which it is not TRUE do not count; null for none
 * @param type the result's type: for SUM and AVG any number type; MIN and MAX that of the argument
 * @param slot where the result goes, of that type
 */
public record AggregateExpression(
    Function function,
    Expression argument,
    boolean distinct,
    Expression filter,
    ColumnType type,
    int slot) {
  /** The value of the only row; more than one is 21000. */
  public static AggregateExpression singleValue(Expression argument, ColumnType type, int slot) {
    return new AggregateExpression(Function.SINGLE_VALUE, argument, false, null, type, slot);
  }

  /** The aggregate functions; all but COUNT and SUM0 are NULL if no value counts. */
  public enum Function {
    COUNT,
    SUM,
    /** SUM that is 0 if no value counts. */
    SUM0,
    MIN,
    MAX,
    AVG,
    /** Any of the values. */
    ANY_VALUE,
    /** The value of the only row; more than one is 21000. */
    SINGLE_VALUE
  }

  @Override
  public String toString() {
    String inner = argument == null ? "*" : (distinct ? "DISTINCT " : "") + argument;
    return function + "(" + inner + ")" + (filter == null ? "" : " FILTER (" + filter + ")");
  }
}
