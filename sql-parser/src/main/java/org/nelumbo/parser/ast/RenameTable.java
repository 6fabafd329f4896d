package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** RENAME TO in an ALTER TABLE: renames the table. */
public final class RenameTable extends TableChange {
  private final SqlIdentifier newName;

  public RenameTable(SqlParserPos pos, SqlIdentifier newName) {
    super("RENAME TABLE", SqlKind.OTHER_DDL, pos);
    this.newName = newName;
  }

  public SqlIdentifier newName() {
    return newName;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(newName);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new RenameTable(pos, (SqlIdentifier) children.get(0));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("RENAME TO");
    newName.unparse(writer, 0, 0);
  }
}
