package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** ALTER TABLE with one or more changes, executed in order. */
public final class AlterTable extends NelumboStatement {
  private final SqlIdentifier name;
  private final boolean ifExists;
  private final SqlNodeList changes;

  public AlterTable(SqlParserPos pos, SqlIdentifier name, boolean ifExists, SqlNodeList changes) {
    super(StatementKind.ALTER_TABLE, SqlKind.ALTER_TABLE, pos);
    this.name = name;
    this.ifExists = ifExists;
    this.changes = changes;
  }

  public SqlIdentifier name() {
    return name;
  }

  /** Returns true if a missing table is not an error. */
  public boolean ifExists() {
    return ifExists;
  }

  /** Returns the {@link TableChange}s in order. */
  public SqlNodeList changes() {
    return changes;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name, changes);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new AlterTable(
        pos, (SqlIdentifier) children.get(0), ifExists, (SqlNodeList) children.get(1));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("ALTER TABLE");
    Writing.keywordIf(writer, ifExists, "IF EXISTS");
    name.unparse(writer, 0, 0);
    Writing.commaSeparated(writer, changes);
  }
}
