package org.nelumbo.executor.op.aggregate;

import java.util.List;
import java.util.stream.Collectors;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.types.ColumnType;

/**
 * A function over the rows of a window, in a plan.
 *
 * @param aggregate what is computed of the frame; null for other functions than AGGREGATE
 * @param arguments of the other functions
 * @param ignoresNulls whether rows with NULL as the first argument are passed over
 * @param frame the rows around the current one that count
 * @param type the result's type
 * @param slot where the result goes, of that type
 */
public record WindowCall(
    Function function,
    AggregateExpression aggregate,
    List<Expression> arguments,
    boolean ignoresNulls,
    RowFrame frame,
    ColumnType type,
    int slot) {
  /** The functions. */
  public enum Function {
    ROW_NUMBER,
    RANK,
    DENSE_RANK,
    PERCENT_RANK,
    CUME_DIST,
    NTILE,
    LAG,
    LEAD,
    FIRST_VALUE,
    LAST_VALUE,
    NTH_VALUE,
    AGGREGATE
  }

  /** Where a frame begins or ends, seen from the current row. */
  public enum BoundKind {
    UNBOUNDED_PRECEDING,
    PRECEDING,
    CURRENT_ROW,
    FOLLOWING,
    UNBOUNDED_FOLLOWING
  }

  /** What the bounds of a frame count. */
  public enum Unit {
    /** Rows. */
    ROWS,
    /** Values of the sort key; the current row stands for all that are sorted as it is. */
    RANGE,
    /** Groups of rows that are sorted alike. */
    GROUPS
  }

  /** Which rows of a frame do not count. */
  public enum Exclusion {
    NOTHING,
    CURRENT_ROW,
    /** The current row and those that are sorted as it is. */
    GROUP,
    /** Those that are sorted as the current row is, but not that one. */
    TIES
  }

  /**
   * How far a frame of RANGE reaches: up to a value of the sort key.
   *
   * @param key by which the rows are sorted
   * @param limit that value, seen from the current row
   * @param slot takes it
   * @param within whether a row is not beyond the value in the slot
   * @param negative whether the distance is less than nothing
   */
  public record Reach(
      Expression key, Expression limit, int slot, Expression within, Expression negative) {}

  /**
   * Where a frame begins or ends.
   *
   * @param offset how far away; null unless PRECEDING or FOLLOWING
   * @param reach of RANGE; null if the offset counts rows or groups
   */
  public record Bound(BoundKind kind, Expression offset, Reach reach) {
    @Override
    public String toString() {
      return (offset == null ? "" : offset + " ") + kind.name().replace('_', ' ');
    }
  }

  /** The rows around the current one that count. */
  public record RowFrame(Unit unit, Bound lower, Bound upper, Exclusion exclusion) {
    @Override
    public String toString() {
      return unit
          + " "
          + lower
          + " TO "
          + upper
          + (exclusion == Exclusion.NOTHING
              ? ""
              : " EXCLUDE " + exclusion.name().replace('_', ' '));
    }
  }

  @Override
  public String toString() {
    String call =
        aggregate != null
            ? aggregate.toString()
            : function
                + arguments.stream()
                    .map(Expression::toString)
                    .collect(Collectors.joining(", ", "(", ")"))
                + (ignoresNulls ? " IGNORE NULLS" : "");
    boolean framed =
        switch (function) {
          case AGGREGATE, FIRST_VALUE, LAST_VALUE, NTH_VALUE -> true;
          default -> false;
        };
    return framed ? call + " " + frame : call;
  }
}
