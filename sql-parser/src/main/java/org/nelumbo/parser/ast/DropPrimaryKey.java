package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** DROP PRIMARY KEY: the table's rows get a hidden key in its place. */
public final class DropPrimaryKey extends TableChange {
  /** Made by the parser. */
  public DropPrimaryKey(SqlParserPos pos) {
    super("DROP PRIMARY KEY", SqlKind.OTHER_DDL, pos);
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children();
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new DropPrimaryKey(pos);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("DROP PRIMARY KEY");
  }
}
