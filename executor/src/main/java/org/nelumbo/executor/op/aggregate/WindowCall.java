package org.nelumbo.executor.op.aggregate;

import java.util.List;
import java.util.stream.Collectors;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.types.ColumnType;

/**
 * A call of a window function in a plan.
 *
 * @param aggregate aggregate over the frame; null unless the function is AGGREGATE
 * @param arguments arguments of the other functions
 * @param ignoresNulls true if rows with NULL as the first argument are skipped
 * @param frame window frame around the current row
 * @param type type of the result
 * @param slot slot for the result, with this type
 */
public record WindowCall(
    Function function,
    AggregateExpression aggregate,
    List<Expression> arguments,
    boolean ignoresNulls,
    RowFrame frame,
    ColumnType type,
    int slot) {
  /** The window functions. */
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

  /** The kinds of bounds of a window frame, relative to the current row. */
  public enum BoundKind {
    UNBOUNDED_PRECEDING,
    PRECEDING,
    CURRENT_ROW,
    FOLLOWING,
    UNBOUNDED_FOLLOWING
  }

  /** The unit of the bounds of a window frame. */
  public enum Unit {
    ROWS,
    /** Values of the sort key; the current row includes its peers. */
    RANGE,
    /** Peer groups: rows with equal sort keys. */
    GROUPS
  }

  /** The rows that are excluded from a window frame. */
  public enum Exclusion {
    NOTHING,
    CURRENT_ROW,
    /** The current row and its peers. */
    GROUP,
    /** The peers of the current row, but not the row itself. */
    TIES
  }

  /**
   * The reach of a RANGE bound: up to a value of the sort key.
   *
   * @param key sort key of the rows
   * @param limit value up to which the bound reaches, computed from the current row
   * @param slot slot for the limit
   * @param within condition that a row is not beyond the limit in the slot
   * @param negative condition that the distance is negative
   */
  public record Reach(
      Expression key, Expression limit, int slot, Expression within, Expression negative) {}

  /**
   * A bound of a window frame.
   *
   * @param offset distance from the current row; null unless PRECEDING or FOLLOWING
   * @param reach reach of RANGE; null if the offset counts rows or groups
   */
  public record Bound(BoundKind kind, Expression offset, Reach reach) {
    @Override
    public String toString() {
      return (offset == null ? "" : offset + " ") + kind.name().replace('_', ' ');
    }
  }

  /** A window frame: the rows around the current one that count. */
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
