package org.nelumbo.sql.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.sql.StatementKind;

/** DROP TABLE. */
public final class DropTable extends NelumboStatement {
  private final SqlNodeList names;
  private final boolean ifExists;
  private final DropBehavior behavior;

  /** Made by the parser; the arguments are described at the getters. */
  public DropTable(SqlParserPos pos, SqlNodeList names, boolean ifExists, DropBehavior behavior) {
    super(StatementKind.DROP_TABLE, SqlKind.DROP_TABLE, pos);
    this.names = names;
    this.ifExists = ifExists;
    this.behavior = behavior;
  }

  /** The tables. */
  public SqlNodeList names() {
    return names;
  }

  /** Whether a missing table is no error. */
  public boolean ifExists() {
    return ifExists;
  }

  /** CASCADE, RESTRICT or neither. */
  public DropBehavior behavior() {
    return behavior;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(names);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new DropTable(pos, (SqlNodeList) children.get(0), ifExists, behavior);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("DROP TABLE");
    Writing.keywordIf(writer, ifExists, "IF EXISTS");
    Writing.commaSeparated(writer, names);
    Writing.keywordIf(writer, behavior != DropBehavior.UNSPECIFIED, behavior.name());
  }
}
