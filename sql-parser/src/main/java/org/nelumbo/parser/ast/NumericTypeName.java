package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/** NUMERIC without bounds. */
final class NumericTypeName extends SqlBasicTypeNameSpec {
  NumericTypeName(SqlParserPos pos) {
    super(SqlTypeName.DECIMAL, Integer.MAX_VALUE, 0, pos);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("NUMERIC");
  }
}
