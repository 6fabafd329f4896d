package org.nelumbo.executor.op.aggregate;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.basic.SortKey;
import org.nelumbo.types.ColumnType;

/**
 * An aggregate function in a plan.
 *
 * @param argument null for {@code COUNT(*)}
 * @param distinct whether equal arguments count once
 * @param filter rows for which it is not TRUE do not count; null for none
 * @param type the result's type: for SUM and AVG any number type; MIN and MAX that of the argument
 * @param slot where the result goes, of that type
 * @param joining how LISTAGG joins texts, and the order of functions that have one; null for others
 * @param other the second number of a pair, or the fraction of a percentile; null for others
 */
public record AggregateExpression(
    Function function,
    Expression argument,
    boolean distinct,
    Expression filter,
    ColumnType type,
    int slot,
    Joining joining,
    Expression other) {
  /** How LISTAGG joins texts: what is between them, null for nothing, and the order. */
  public record Joining(Expression separator, List<SortKey> order) {}

  /** A function of one argument or none. */
  public AggregateExpression(
      Function function,
      Expression argument,
      boolean distinct,
      Expression filter,
      ColumnType type,
      int slot) {
    this(function, argument, distinct, filter, type, slot, null, null);
  }

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
    VAR_POP,
    VAR_SAMP,
    STDDEV_POP,
    STDDEV_SAMP,
    /** The texts one behind the other, with a separator between them, in an order. */
    LISTAGG,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    COVAR_POP,
    COVAR_SAMP,
    CORR,
    /** How many pairs there are. */
    REGR_COUNT,
    REGR_SLOPE,
    REGR_INTERCEPT,
    REGR_R2,
    REGR_AVGX,
    REGR_AVGY,
    REGR_SXX,
    REGR_SYY,
    REGR_SXY,
    /** What lies at a fraction of the values in their order, perhaps between two of them. */
    PERCENTILE_CONT,
    /** The value at a fraction of the values in their order. */
    PERCENTILE_DISC,
    /** The most frequent value. */
    MODE,
    /** Any of the values. */
    ANY_VALUE,
    /** The value of the only row; more than one is 21000. */
    SINGLE_VALUE
  }

  @Override
  public String toString() {
    String inner = argument == null ? "*" : (distinct ? "DISTINCT " : "") + argument;
    String second = other == null ? "" : ", " + other;
    return function
        + "("
        + inner
        + second
        + ")"
        + (filter == null ? "" : " FILTER (" + filter + ")");
  }
}
