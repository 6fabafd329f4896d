package org.nelumbo.executor.op.modify;

import org.nelumbo.executor.op.basic.Spool;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.TableAccess;
import org.nelumbo.executor.table.TableStore;

/**
 * Protection from the Halloween problem: decides whether the rows a statement changes have to be
 * fixed before it changes the first. They have to if a change could influence which rows its own
 * source still delivers, or what subqueries over the same table see.
 */
final class Halloween {
  private Halloween() {}

  /** The source of an INSERT: spooled if it reads the table at all. */
  static Operator forInsert(Operator source, TableStore table) {
    return accesses(source, table) > 0 ? new Spool(source) : source;
  }

  /** The source of a DELETE: the scan that finds the rows does not mind that they go. */
  static Operator forDelete(Operator source, TableStore table) {
    return accesses(source, table) > 1 ? new Spool(source) : source;
  }

  /** The source of an UPDATE of some columns: spooled if a scanned index contains one of them. */
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
