package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/**
 * A command with at most one name: SAVEPOINT, RELEASE SAVEPOINT, SET SCHEMA, and ANALYZE and CHECK
 * for one or all tables.
 */
public final class NamedCommand extends NelumboStatement {
  private final SqlIdentifier name;

  public NamedCommand(SqlParserPos pos, StatementKind kind, SqlIdentifier name) {
    super(kind, SqlKind.OTHER, pos);
    this.name = name;
  }

  /** Returns the savepoint, schema or table, or null for all tables. */
  public SqlIdentifier name() {
    return name;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new NamedCommand(pos, statementKind(), (SqlIdentifier) children.get(0));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(
        switch (statementKind()) {
          case ANALYZE_TABLE -> "ANALYZE";
          case CHECK -> name == null ? "CHECK DATABASE" : "CHECK TABLE";
          default -> statementKind().title();
        });
    if (name != null) {
      name.unparse(writer, 0, 0);
    }
  }
}
