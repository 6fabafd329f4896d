package org.nelumbo.planner.plain;

import java.util.List;
import org.apache.calcite.rex.RexNode;

/**
 * An UPDATE or DELETE of the rows of one table that needs no relational tree.
 *
 * @param condition condition over the table's fields; TRUE if there is none
 * @param columns ordinals of the assigned columns; none for a DELETE
 * @param values assigned values, over the table's fields
 */
public record TableChange(RexNode condition, int[] columns, List<RexNode> values) {
  /** Returns true for a DELETE. */
  public boolean isDelete() {
    return columns.length == 0;
  }
}
