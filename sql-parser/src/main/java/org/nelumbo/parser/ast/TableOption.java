package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code name = value} in the WITH of a CREATE statement. */
public final class TableOption extends AstNode {
  private final SqlIdentifier name;
  private final SqlNode value;

  public TableOption(SqlParserPos pos, SqlIdentifier name, SqlNode value) {
    super("OPTION", SqlKind.OTHER_DDL, pos);
    this.name = name;
    this.value = value;
  }

  /** Returns the name of the option, folded like any name. */
  public SqlIdentifier name() {
    return name;
  }

  /** Returns the value, which is a literal or a name. */
  public SqlNode value() {
    return value;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name, value);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new TableOption(pos, (SqlIdentifier) children.get(0), children.get(1));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    name.unparse(writer, 0, 0);
    writer.keyword("=");
    value.unparse(writer, 0, 0);
  }
}
