package org.nelumbo.executor.op.modify;

import org.nelumbo.executor.op.basic.Spool;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.TableAccess;
import org.nelumbo.executor.table.TableStore;

/**
 * Protection from the Halloween problem: decides whether a statement has to collect its rows before
 * it changes the first one. That is necessary if a change can influence which rows its source still
 * returns, or which rows subqueries over the same table see.
 */
final class Halloween {
  private Halloween() {}

  /** Returns the source of an INSERT, spooled if it reads the table at all. */
  static Operator forInsert(Operator source, TableStore table) {
    return accesses(source, table) > 0 ? new Spool(source) : source;
  }

  /**
   * Returns the source of a DELETE. The scan that finds the rows is not disturbed by their
   * deletion, so the source is spooled only if it reads the table more than once.
   */
  static Operator forDelete(Operator source, TableStore table) {
    return accesses(source, table) > 1 ? new Spool(source) : source;
  }

  /**
   * Returns the source of an UPDATE of some columns, spooled if it reads the table more than once,
   * or if a scanned index contains one of the columns.
   */
  static Operator forUpdate(Operator source, TableStore table, int[] changed) {
    boolean disturbed = accesses(source, table) > 1 || scansBy(source, table, changed);
    return disturbed ? new Spool(source) : source;
  }

  private static int accesses(Operator operator, TableStore table) {
    if (operator instanceof Spool) {
      return 0;
    }
    TableAccess tableAccess = operator.tableAccess();
    int count = tableAccess != null && tableAccess.table() == table ? 1 : 0;
    for (Operator child : operator.children()) {
      count += accesses(child, table);
    }
    return count;
  }

  private static boolean scansBy(Operator operator, TableStore table, int[] changed) {
    if (operator instanceof Spool) {
      return false;
    }
    TableAccess tableAccess = operator.tableAccess();
    boolean disturbed =
        tableAccess != null
            && tableAccess.table() == table
            && tableAccess.scans()
            && (intersects(tableAccess.columns(), changed)
                || intersects(table.schema().primaryKey(), changed));
    for (Operator child : operator.children()) {
      disturbed |= scansBy(child, table, changed);
    }
    return disturbed;
  }

  static boolean intersects(int[] left, int[] right) {
    for (int a : left) {
      for (int b : right) {
        if (a == b) {
          return true;
        }
      }
    }
    return false;
  }
}
