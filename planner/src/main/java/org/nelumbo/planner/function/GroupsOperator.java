package org.nelumbo.planner.function;

import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.nelumbo.parser.ast.GroupCount;

/**
 * A marker operator around the offset of a GROUPS frame. Calcite supports only ROWS and RANGE
 * frames, and treats this one as ROWS.
 */
public final class GroupsOperator extends SqlFunction {
  private static final GroupsOperator INSTANCE = new GroupsOperator();

  private GroupsOperator() {
    super(
        "$GROUPS",
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.ARG0,
        null,
        OperandTypes.EXACT_NUMERIC,
        SqlFunctionCategory.NUMERIC);
  }

  /**
   * Returns true if a bound of a window, {@code 1 PRECEDING} or {@code 1 FOLLOWING}, belongs to a
   * GROUPS frame.
   */
  public static boolean isBound(SqlCall call) {
    return (call.getKind() == SqlKind.PRECEDING || call.getKind() == SqlKind.FOLLOWING)
        && call.operand(0) instanceof GroupCount;
  }

  /** Converts a bound as Calcite does, with its offset marked. */
  public static RexNode bound(SqlRexContext context, SqlCall call) {
    RexNode count = context.convertExpression(call.operand(0));
    RexNode counted = context.getRexBuilder().makeCall(count.getType(), INSTANCE, List.of(count));
    return context.getRexBuilder().makeCall(count.getType(), call.getOperator(), List.of(counted));
  }

  /** Returns true if an offset belongs to a GROUPS frame; false for null. */
  public static boolean isCounted(RexNode offset) {
    return offset instanceof RexCall call && call.getOperator().equals(INSTANCE);
  }

  /** Returns the offset without the marker. */
  public static RexNode count(RexNode offset) {
    return isCounted(offset) ? ((RexCall) offset).getOperands().getFirst() : offset;
  }
}
