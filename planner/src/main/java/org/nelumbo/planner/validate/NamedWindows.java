package org.nelumbo.planner.validate;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * Expands windows that refer to a named window and have a frame: {@code OVER (w ROWS 1 PRECEDING)}.
 * Calcite would ignore the frame, so the definition of the named window is inserted.
 */
final class NamedWindows {
  private static final int NAME = 1;
  private static final int PARTITION = 2;
  private static final int ORDER = 3;

  private NamedWindows() {}

  /** Inserts the named windows of a SELECT into the windows with frames of its list. */
  static void replaceIn(SqlSelect select) {
    SqlNodeList named = select.getWindowList();
    if (named == null || named.isEmpty()) {
      return;
    }
    SqlBasicVisitor<Void> visitor =
        new SqlBasicVisitor<>() {
          @Override
          public Void visit(SqlCall call) {
            if (call instanceof SqlWindow window && window.getLowerBound() != null) {
              replaceIn(window, named);
            }
            return call instanceof SqlSelect ? null : super.visit(call);
          }
        };
    select.getSelectList().accept(visitor);
    if (select.getOrderList() != null) {
      select.getOrderList().accept(visitor);
    }
  }

  private static void replaceIn(SqlWindow window, SqlNodeList named) {
    for (SqlIdentifier name; (name = window.getRefName()) != null; ) {
      SqlWindow found = find(name, named);
      if (found == null || found.getLowerBound() != null) {
        return; // the validator reports it
      }
      window.setOperand(NAME, found.getRefName());
      if (SqlNodeList.isEmptyList(window.getPartitionList())) {
        window.setOperand(PARTITION, found.getPartitionList());
      }
      if (SqlNodeList.isEmptyList(window.getOrderList())) {
        window.setOperand(ORDER, found.getOrderList());
      }
    }
  }

  private static SqlWindow find(SqlIdentifier name, SqlNodeList named) {
    for (SqlNode each : named) {
      SqlWindow window = (SqlWindow) each;
      if (window.getDeclName() != null
          && window.getDeclName().getSimple().equals(name.getSimple())) {
        return window;
      }
    }
    return null;
  }
}
