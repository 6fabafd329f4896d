package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** RENAME COLUMN in an ALTER TABLE. */
public final class RenameColumn extends TableChange {
  private final SqlIdentifier column;
  private final SqlIdentifier newName;

  public RenameColumn(SqlParserPos pos, SqlIdentifier column, SqlIdentifier newName) {
    super("RENAME COLUMN", SqlKind.OTHER_DDL, pos);
    this.column = column;
    this.newName = newName;
  }

  public SqlIdentifier column() {
    return column;
  }

  public SqlIdentifier newName() {
    return newName;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(column, newName);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new RenameColumn(pos, (SqlIdentifier) children.get(0), (SqlIdentifier) children.get(1));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("RENAME COLUMN");
    column.unparse(writer, 0, 0);
    writer.keyword("TO");
    newName.unparse(writer, 0, 0);
  }
}
