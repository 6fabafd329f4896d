package org.nelumbo.planner.frontend;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * Finds statements that compare with a truth value. Calcite's simplification takes {@code x BETWEEN
 * FALSE AND TRUE} for {@code x IS NOT NULL}, and of an {@code x} that is {@code a OR NULL} it looks
 * at {@code a} alone.
 */
final class BooleanComparisons extends SqlBasicVisitor<Void> {
  private boolean found;

  private BooleanComparisons() {}

  static boolean areUsed(SqlNode statement) {
    BooleanComparisons comparisons = new BooleanComparisons();
    statement.accept(comparisons);
    return comparisons.found;
  }

  @Override
  public Void visit(SqlCall call) {
    SqlKind kind = call.getKind();
    if (kind == SqlKind.BETWEEN || SqlKind.COMPARISON.contains(kind)) {
      found |= call.getOperandList().stream().anyMatch(BooleanComparisons::isTruthValue);
    }
    return super.visit(call);
  }

  private static boolean isTruthValue(SqlNode operand) {
    return operand instanceof SqlLiteral literal && literal.getTypeName() == SqlTypeName.BOOLEAN;
  }
}
