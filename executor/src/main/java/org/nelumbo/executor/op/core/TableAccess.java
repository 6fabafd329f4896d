package org.nelumbo.executor.op.core;

import org.nelumbo.executor.table.TableStore;

/**
 * The way an operator reads a table, as far as changes made meanwhile matter to it.
 *
 * @param columns ordinals of the columns that decide which rows it meets and in which order; all
 *     columns of a scanned index, none for a point get
 * @param scans whether rows that are inserted meanwhile may be met
 */
public record TableAccess(TableStore table, int[] columns, boolean scans) {
  /** Rows are got by their primary keys. */
  public static TableAccess byKey(TableStore table) {
    return new TableAccess(table, new int[0], false);
  }

  /** Rows are met in the order of some columns, or in none if there are no columns. */
  public static TableAccess byScan(TableStore table, int... columns) {
    return new TableAccess(table, columns, true);
  }
}
