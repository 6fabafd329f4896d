package org.nelumbo.sql.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** DROP COLUMN. */
public final class DropColumn extends TableChange {
  private final SqlIdentifier column;
  private final boolean ifExists;
  private final DropBehavior behavior;

  /** Made by the parser; the arguments are described at the getters. */
  public DropColumn(
      SqlParserPos pos, SqlIdentifier column, boolean ifExists, DropBehavior behavior) {
    super("DROP COLUMN", SqlKind.OTHER_DDL, pos);
    this.column = column;
    this.ifExists = ifExists;
    this.behavior = behavior;
  }

  /** The column. */
  public SqlIdentifier column() {
    return column;
  }

  /** Whether a missing column is no error. */
  public boolean ifExists() {
    return ifExists;
  }

  /** CASCADE, RESTRICT or neither. */
  public DropBehavior behavior() {
    return behavior;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(column);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new DropColumn(pos, (SqlIdentifier) children.get(0), ifExists, behavior);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("DROP COLUMN");
    Writing.keywordIf(writer, ifExists, "IF EXISTS");
    column.unparse(writer, 0, 0);
    Writing.keywordIf(writer, behavior != DropBehavior.UNSPECIFIED, behavior.name());
  }
}
