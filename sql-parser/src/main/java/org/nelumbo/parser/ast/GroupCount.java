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
 * The distance of a window's frame of GROUPS. Calcite has no such frames: {@link GroupsWindow} is
 * one of ROWS to it, and its distances are known by this class.
 */
public final class GroupCount extends SqlNumericLiteral {
  private GroupCount(BigDecimal count, SqlParserPos place) {
    super(count, null, 0, true, place);
  }

  @Override
  public SqlNumericLiteral clone(SqlParserPos place) {
    return new GroupCount(bigDecimalValue(), place);
  }

  /** A bound of a frame, with a distance of this class if it has one. */
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
