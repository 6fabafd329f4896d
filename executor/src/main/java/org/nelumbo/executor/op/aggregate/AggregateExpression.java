package org.nelumbo.executor.op.aggregate;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.basic.SortKey;
import org.nelumbo.types.ColumnType;

/**
 * An aggregate call in a plan.
 *
 * @param argument argument, or null for {@code COUNT(*)}
 * @param distinct true if equal arguments count once
 * @param filter condition that must be TRUE for a row to count, or null
 * @param type type of the result: any number type for SUM and AVG, the type of the argument for MIN
 *     and MAX
 * @param slot slot for the result, with this type
 * @param joining separator and order of LISTAGG, and order of the other ordered functions; null for
 *     all others
 * @param other second number of a pair, or the fraction of a percentile; null for other functions
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
  /** The separator (or null) and the order of the texts that LISTAGG joins. */
  public record Joining(Expression separator, List<SortKey> order) {}

  /** Creates a call of a function with at most one argument. */
  public AggregateExpression(
      Function function,
      Expression argument,
      boolean distinct,
      Expression filter,
      ColumnType type,
      int slot) {
    this(function, argument, distinct, filter, type, slot, null, null);
  }

  /** Creates a call that returns the value of the only row; several rows fail with 21000. */
  public static AggregateExpression singleValue(Expression argument, ColumnType type, int slot) {
    return new AggregateExpression(Function.SINGLE_VALUE, argument, false, null, type, slot);
  }

  /**
   * The aggregate functions. Without counted values COUNT, SUM0 and REGR_COUNT are 0, the others
   * NULL.
   */
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
    /** Concatenation of texts in a given order, with a separator. */
    LISTAGG,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    COVAR_POP,
    COVAR_SAMP,
    CORR,
    /** Number of pairs. */
    REGR_COUNT,
    REGR_SLOPE,
    REGR_INTERCEPT,
    REGR_R2,
    REGR_AVGX,
    REGR_AVGY,
    REGR_SXX,
    REGR_SYY,
    REGR_SXY,
    /** Value at a fraction of the ordered values, interpolated between two of them if necessary. */
    PERCENTILE_CONT,
    /** Value at a fraction of the ordered values. */
    PERCENTILE_DISC,
    /** Most frequent value. */
    MODE,
    /** An arbitrary value. */
    ANY_VALUE,
    /** Value of the only row; several rows fail with 21000. */
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
