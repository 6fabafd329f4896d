package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** ADD COLUMN in an ALTER TABLE. */
public final class AddColumn extends TableChange {
  private final ColumnDefinition column;
  private final boolean ifNotExists;

  public AddColumn(SqlParserPos pos, ColumnDefinition column, boolean ifNotExists) {
    super("ADD COLUMN", SqlKind.OTHER_DDL, pos);
    this.column = column;
    this.ifNotExists = ifNotExists;
  }

  public ColumnDefinition column() {
    return column;
  }

  /** Returns this change without the constraints beside the column. */
  public AddColumn withoutConstraints() {
    ColumnDefinition bare =
        new ColumnDefinition(
            column.getParserPosition(),
            column.name(),
            column.type(),
            column.defaultValue(),
            column.identity(),
            column.generation(),
            SqlNodeList.EMPTY);
    return new AddColumn(getParserPosition(), bare, ifNotExists);
  }

  /** Returns true if an existing column is not an error. */
  public boolean ifNotExists() {
    return ifNotExists;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(column);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new AddColumn(pos, (ColumnDefinition) children.get(0), ifNotExists);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("ADD COLUMN");
    Writing.keywordIf(writer, ifNotExists, "IF NOT EXISTS");
    column.unparse(writer, 0, 0);
  }
}
