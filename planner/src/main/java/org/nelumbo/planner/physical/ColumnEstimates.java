package org.nelumbo.planner.physical;

import java.util.Arrays;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.RowEstimates;

/** How many rows of a table agree in some columns, as far as its unique keys tell. */
final class ColumnEstimates {
  private final TableEntry entry;

  ColumnEstimates(TableEntry entry) {
    this.entry = entry;
  }

  /** Rows of the table; of a small one as many as make no plan much worse when it grows. */
  double rows() {
    return Math.max(CostModel.LEAST_JOINED, (double) entry.store().hash().estimate().entries());
  }

  /** Rows that a way to read the table gives. */
  double scaled(AccessPath path) {
    return switch (path.kind()) {
      case POINT, MULTI -> path.rows();
      case RANGE -> Math.max(1, path.rows() * rows() / Math.max(2, RowEstimates.of(entry)));
      case FULL -> rows();
    };
  }

  /** How many different values some columns have. */
  double distinct(int[] columns) {
    double known = Math.max(2, RowEstimates.of(entry));
    return Math.max(1, rows() / Math.max(1, equalRows(known, columns) * rows() / known));
  }

  /**
   * Rows that agree in some columns, of so many. A function of the columns, not of the index that
   * is asked, and never more than for a part of them: else a longer prefix could look worse than a
   * shorter one.
   */
  double equalRows(double tableRows, int[] columns) {
    double rows = equalRows(tableRows, columns, entry.schema().primaryKey());
    for (IndexStore index : entry.store().indexes()) {
      if (index.schema().unique()) {
        rows = Math.min(rows, equalRows(tableRows, columns, index.schema().columns()));
      }
    }
    return Math.min(rows, tableRows * Math.pow(CostModel.EQUALITY, columns.length));
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
