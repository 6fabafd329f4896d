package org.nelumbo.executor.op.core;

import org.nelumbo.executor.table.TableStore;

/**
 * The access path of an operator to a table, as far as it matters for concurrent changes by the
 * statement.
 *
 * @param columns ordinals of the columns that decide which rows are found and in which order: all
 *     columns of a scanned index, none for a point get
 * @param scans true if rows that are inserted meanwhile may be found
 */
public record TableAccess(TableStore table, int[] columns, boolean scans) {
  /** Returns an access by primary keys. */
  public static TableAccess byKey(TableStore table) {
    return new TableAccess(table, new int[0], false);
  }

  /** Returns a scan in the order of the given columns, or in no order if there are no columns. */
  public static TableAccess byScan(TableStore table, int... columns) {
    return new TableAccess(table, columns, true);
  }
}
