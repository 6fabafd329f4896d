package org.nelumbo.parser.ast;

import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/**
 * The offset of a GROUPS frame. Calcite does not support such frames: a {@link GroupsWindow} is a
 * ROWS window to Calcite, whose offsets are instances of this class.
 */
public final class GroupCount extends SqlNumericLiteral {
  private GroupCount(BigDecimal count, SqlParserPos position) {
    super(count, null, 0, true, position);
  }

  @Override
  public SqlNumericLiteral clone(SqlParserPos position) {
    return new GroupCount(bigDecimalValue(), position);
  }

  /** Returns a bound of a frame, with its offset, if any, replaced by an instance of this class. */
  static SqlNode counted(SqlNode bound) {
    boolean hasDistance =
        bound != null
            && (bound.getKind() == SqlKind.PRECEDING || bound.getKind() == SqlKind.FOLLOWING);
    if (!hasDistance) {
      return bound;
    }
    SqlNode distance = ((SqlCall) bound).operand(0);
    if (!(distance instanceof SqlNumericLiteral number) || !number.isInteger()) {
      throw SqlSyntaxException.at(
          distance.getParserPosition(), "the distance of GROUPS is a whole number");
    }
    GroupCount count = new GroupCount(number.bigDecimalValue(), number.getParserPosition());
    return new SqlBasicCall(
        ((SqlCall) bound).getOperator(), List.of(count), bound.getParserPosition());
  }
}
