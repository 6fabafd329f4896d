package org.nelumbo.planner.validate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.ast.CopyingShuttle;

/**
 * Expands ROLLUP and CUBE with repeated columns into GROUPING SETS. There are as many sets as
 * without the repetition; Calcite would remove equal sets.
 */
final class RepeatedSets {
  private static final int MOST_CUBED = 12;

  private RepeatedSets() {}

  /** Returns the sets of a ROLLUP or CUBE, or null if it repeats no column. */
  static SqlNode replacement(SqlCall call) {
    boolean isCube = call.getKind() == SqlKind.CUBE;
    List<List<SqlNode>> elements = new ArrayList<>();
    call.getOperandList().forEach(each -> elements.add(leaves(each)));
    if (!repeats(elements) || isCube && elements.size() > MOST_CUBED) {
      return null;
    }
    SqlParserPos position = call.getParserPosition();
    List<SqlNode> sets = new ArrayList<>();
    int count = elements.size();
    for (int i = 0; i < (isCube ? 1 << count : count + 1); i++) {
      List<SqlNode> set = new ArrayList<>();
      for (int element = 0; element < count; element++) {
        boolean isIn = isCube ? (i & 1 << element) == 0 : element < count - i;
        if (isIn) {
          elements.get(element).forEach(leaf -> set.add(leaf.accept(new CopyingShuttle())));
        }
      }
      sets.add(SqlStdOperatorTable.ROW.createCall(position, set));
    }
    return SqlStdOperatorTable.GROUPING_SETS.createCall(position, sets);
  }

  private static List<SqlNode> leaves(SqlNode element) {
    return element.getKind() == SqlKind.ROW
        ? ((SqlCall) element).getOperandList()
        : List.of(element);
  }

  private static boolean repeats(List<List<SqlNode>> elements) {
    Set<String> texts = new HashSet<>();
    for (List<SqlNode> element : elements) {
      for (SqlNode leaf : element) {
        if (!texts.add(leaf instanceof SqlIdentifier name ? name.names.getLast() : "" + leaf)) {
          return true;
        }
      }
    }
    return false;
  }
}
