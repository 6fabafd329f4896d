package org.nelumbo.planner.frontend;

import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * Finds statements with a cast to text beside a cast to something else. Where one is around the
 * other, Calcite's simplification leaves the text out: {@code CAST(CAST(1 AS VARCHAR(9)) AS DATE)}
 * would be a cast of a number to a date.
 */
final class TextCasts extends SqlBasicVisitor<Void> {
  private boolean toText;
  private boolean toOther;

  private TextCasts() {}

  static boolean mayBeLeftOut(SqlNode statement) {
    TextCasts casts = new TextCasts();
    statement.accept(casts);
    return casts.toText && casts.toOther;
  }

  @Override
  public Void visit(SqlCall call) {
    if (call.getKind() == SqlKind.CAST && call.operand(1) instanceof SqlDataTypeSpec type) {
      boolean isText = type.getTypeName().getSimple().toUpperCase(Locale.ROOT).contains("CHAR");
      toText |= isText;
      toOther |= !isText;
    }
    return super.visit(call);
  }
}
