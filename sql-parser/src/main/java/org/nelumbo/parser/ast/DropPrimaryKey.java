package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** DROP PRIMARY KEY in an ALTER TABLE: a hidden key replaces the primary key. */
public final class DropPrimaryKey extends TableChange {
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
