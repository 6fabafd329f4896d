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
 * Estimates how many rows of a table have equal values in some columns, or values in a range. Uses
 * the statistics of a sample, or the unique keys if there are none.
 */
public final class ColumnEstimates {
  private final TableEntry entry;

  /** Null if none were collected yet, or if the table is small. */
  private final TableStatistics statistics;

  public ColumnEstimates(TableEntry entry) {
    this.entry = entry;
    this.statistics = entry.statistics();
  }

  /**
   * Returns the number of rows. A small table counts as larger, so that no plan becomes much worse
   * when the table grows.
   */
  public double rows() {
    return Math.max(CostModel.LEAST_JOINED, (double) entry.store().estimate().entries());
  }

  /** Returns the number of rows that an access path reads. */
  public double scaled(AccessPath path) {
    return switch (path.kind()) {
      case POINT, MULTI -> path.rows();
      case RANGE -> Math.max(1, path.rows() * rows() / Math.max(2, RowEstimates.of(entry)));
      case FULL -> rows();
    };
  }

  /** Returns the number of distinct values of some columns. */
  public double distinct(int[] columns) {
    double known = Math.max(2, RowEstimates.of(entry));
    return Math.max(1, rows() / Math.max(1, equalRows(known, columns) * rows() / known));
  }

  /**
   * Returns how many of {@code tableRows} rows have equal values in some columns. The result
   * depends on the columns only, not on the index, and is never greater than for a subset of the
   * columns. Otherwise a longer prefix could look worse than a shorter one.
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
   * Returns the frequency of a value relative to {@link #equalRows}; 1 if it is unknown.
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

  /** Returns the fraction of rows with a value; the average if the value is unknown. */
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

  /** Returns the fraction of rows in which a column is NULL. */
  double isNull(int column) {
    return statistics == null ? CostModel.EQUALITY : statistics.nullShare(column);
  }

  /**
   * Returns the fraction of rows in which a column is within bounds.
   *
   * @param lower null if there is none
   * @param upper null if there is none
   */
  double within(int column, RangeBound lower, RangeBound upper) {
    double share = statistics == null ? -1 : statistics.within(column, lower, upper);
    if (share >= 0) {
      return share;
    }
    if (lower == null || upper == null) {
      return CostModel.ONE_BOUND;
    }
    return statistics == null ? CostModel.TWO_BOUNDS : CostModel.UNKNOWN_RANGE;
  }

  /** Returns true if the estimates would differ if a value were known at planning time. */
  boolean needsValue(int column, Expression value, boolean equality) {
    return statistics != null
        && !value.isConstant()
        && Expressions.isGiven(value)
        && (!equality || statistics.skew(column) > CostModel.SKEWED);
  }

  /**
   * Assumes that the columns of a unique key contribute equally to its selectivity. Each other
   * column keeps the fraction {@link CostModel#EQUALITY} of the rows.
   */
  private static double equalRows(double tableRows, int[] columns, int[] uniqueKey) {
    int shared = 0;
    for (int column : uniqueKey) {
      shared += Arrays.stream(columns).anyMatch(c -> c == column) ? 1 : 0;
    }
    double left = (double) (uniqueKey.length - shared) / uniqueKey.length;
    return Math.pow(tableRows, left) * Math.pow(CostModel.EQUALITY, columns.length - shared);
  }
}
