package org.nelumbo.planner.frontend;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.nelumbo.dm.env.DeepStack;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.dialect.SqlText;

/**
 * Unparses expressions for the catalog. A chain of operators may have thousands of terms, but an
 * expression that is nested too deeply to be executed is rejected.
 */
public final class StoredText {
  /** Less than the limit of a statement, so that a statement can contain the expression. */
  private static final int MOST_LEVELS = 900;

  private StoredText() {}

  /** Returns the text of a clause or expression. */
  public static String of(SqlNode node) {
    return DeepStack.call(() -> text(node));
  }

  private static String text(SqlNode node) {
    if (levels(node) > MOST_LEVELS) {
      throw new NelumboException(
          ErrorCode.STATEMENT_TOO_COMPLEX,
          "the expression of the definition is nested more than "
              + MOST_LEVELS
              + " levels deep; split it");
    }
    return SqlText.of(node);
  }

  /** A chain of one operator is one level. */
  private static int levels(SqlNode node) {
    int most = 0;
    if (node instanceof SqlNodeList list) {
      for (SqlNode item : list) {
        most = Math.max(most, levels(item));
      }
    } else if (node instanceof SqlCall call) {
      for (int i = 0; i < call.operandCount(); i++) {
        SqlNode operand = call.operand(i);
        boolean chained =
            i == 0
                && operand instanceof SqlCall left
                && left.getOperator().equals(call.getOperator());
        most = Math.max(most, levels(operand) + (chained ? 0 : 1));
      }
    }
    return most;
  }
}
