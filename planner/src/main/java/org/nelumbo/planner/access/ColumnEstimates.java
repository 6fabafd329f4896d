package org.nelumbo.planner.access;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.access.RangeBound;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.schema.RowEstimates;
import org.nelumbo.planner.statistics.TableStatistics;

/**
 * How many rows of a table agree in some columns, or have values in a range: by what a sample of it
 * tells, or as far as its unique keys do.
 */
public final class ColumnEstimates {
  private final TableEntry entry;

  /** Null: nobody has looked yet, or the table is small. */
  private final TableStatistics statistics;

  public ColumnEstimates(TableEntry entry) {
    this.entry = entry;
    this.statistics = entry.statistics();
  }

  /** Rows of the table; of a small one as many as make no plan much worse when it grows. */
  public double rows() {
    return Math.max(CostModel.LEAST_JOINED, (double) entry.store().hash().estimate().entries());
  }

  /** Rows that a way to read the table gives. */
  public double scaled(AccessPath path) {
    return switch (path.kind()) {
      case POINT, MULTI -> path.rows();
      case RANGE -> Math.max(1, path.rows() * rows() / Math.max(2, RowEstimates.of(entry)));
      case FULL -> rows();
    };
  }

  /** How many different values some columns have. */
  public double distinct(int[] columns) {
    double known = Math.max(2, RowEstimates.of(entry));
    return Math.max(1, rows() / Math.max(1, equalRows(known, columns) * rows() / known));
  }

  /**
   * Rows that agree in some columns, of so many. A function of the columns, not of the index that
   * is asked, and never more than for a part of them: else a longer prefix could look worse than a
   * shorter one.
   */
  double equalRows(double tableRows, int[] columns) {
    if (statistics != null) {
      return sampledRows(tableRows, columns);
    }
    double rows = equalRows(tableRows, columns, entry.schema().primaryKey());
    for (IndexStore index : entry.store().indexes()) {
      if (index.schema().unique()) {
        rows = Math.min(rows, equalRows(tableRows, columns, index.schema().columns()));
      }
    }
    return Math.min(rows, tableRows * Math.pow(CostModel.EQUALITY, columns.length));
  }

  private double sampledRows(double tableRows, int[] columns) {
    if (columns.length == 0) {
      return tableRows;
    }
    boolean unique = isWhole(columns, entry.schema().primaryKey());
    for (IndexStore index : entry.store().indexes()) {
      unique |= index.schema().unique() && isWhole(columns, index.schema().columns());
    }
    return unique ? 1 : tableRows / statistics.distinct(columns, tableRows);
  }

  private static boolean isWhole(int[] columns, int[] key) {
    return Arrays.stream(key).allMatch(each -> Arrays.stream(columns).anyMatch(c -> c == each));
  }

  /**
   * How many times as many rows have a value as {@link #equalRows} tells of the column; 1 if
   * nothing is known of it.
   *
   * @param value null for NULL
   */
  double frequency(int column, Expression value) {
    if (statistics == null) {
      return 1;
    }
    double share = value == null ? statistics.nullShare(column) : statistics.equal(column, value);
    return share < 0
        ? 1 - statistics.nullShare(column)
        : share * statistics.distinct(new int[] {column}, statistics.rows());
  }

  /** The share of rows that have a value; the average one where it is not known. */
  double equal(int column, Expression value) {
    if (statistics == null) {
      return CostModel.EQUALITY;
    }
    double share = statistics.equal(column, value);
    return share >= 0
        ? share
        : (1 - statistics.nullShare(column))
            / statistics.distinct(new int[] {column}, statistics.rows());
  }

  /** The share of rows in which a column is NULL. */
  double isNull(int column) {
    return statistics == null ? CostModel.EQUALITY : statistics.nullShare(column);
  }

  /**
   * The share of rows in which a column is within bounds.
   *
   * @param lower null if there is none
   * @param upper null if there is none
   */
  double within(int column, RangeBound lower, RangeBound upper) {
    double share = statistics == null ? -1 : statistics.within(column, lower, upper);
    if (share >= 0) {
      return share;
    }
    return lower != null && upper != null ? CostModel.TWO_BOUNDS : CostModel.ONE_BOUND;
  }

  /** Whether estimates would be others if a value were known before the statement runs. */
  boolean needsValue(int column, Expression value, boolean equality) {
    return statistics != null
        && !value.isConstant()
        && Expressions.isGiven(value)
        && (!equality || statistics.skew(column) > CostModel.SKEWED);
  }

  /** The columns of a unique key share in telling the rows apart; others tell a tenth each. */
  private static double equalRows(double tableRows, int[] columns, int[] uniqueKey) {
    int shared = 0;
    for (int column : uniqueKey) {
      shared += Arrays.stream(columns).anyMatch(c -> c == column) ? 1 : 0;
    }
    double left = (double) (uniqueKey.length - shared) / uniqueKey.length;
    return Math.pow(tableRows, left) * Math.pow(CostModel.EQUALITY, columns.length - shared);
  }
}
