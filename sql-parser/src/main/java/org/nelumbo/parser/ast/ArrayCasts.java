package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/**
 * Handles casts of array constructors, {@code (ARRAY['a', 'b'])::text[]}, which pg_dump writes for
 * every {@code CHECK (c IN ('a', 'b'))} of a VARCHAR column.
 */
public final class ArrayCasts {
  private ArrayCasts() {}

  /**
   * Casts each element of an array.
   *
   * @param operands the operands read so far; the last one is the array
   */
  public static void castElements(List<Object> operands, SqlDataTypeSpec type, SqlParserPos pos) {
    if (!(operands.getLast() instanceof SqlCall array)
        || array.getKind() != SqlKind.ARRAY_VALUE_CONSTRUCTOR) {
      throw SqlSyntaxException.unsupported(
          pos, "there are no arrays; keep the values in a table, or write ANY (ARRAY[a, b])");
    }
    SqlNodeList elements = new SqlNodeList(array.getParserPosition());
    for (SqlNode element : array.getOperandList()) {
      elements.add(
          SqlLibraryOperators.INFIX_CAST.createCall(element.getParserPosition(), element, type));
    }
    operands.set(
        operands.size() - 1,
        array.getOperator().createCall(array.getParserPosition(), elements.getList()));
  }
}
