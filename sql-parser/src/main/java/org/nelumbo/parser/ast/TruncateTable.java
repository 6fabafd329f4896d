package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** TRUNCATE TABLE: removes all rows of one or more tables. */
public final class TruncateTable extends NelumboStatement {
  private final SqlNodeList names;
  private final boolean restartsIdentity;
  private final DropBehavior behavior;

  public TruncateTable(
      SqlParserPos pos, SqlNodeList names, boolean restartsIdentity, DropBehavior behavior) {
    super(StatementKind.TRUNCATE_TABLE, SqlKind.TRUNCATE_TABLE, pos);
    this.names = names;
    this.restartsIdentity = restartsIdentity;
    this.behavior = behavior;
  }

  public SqlNodeList names() {
    return names;
  }

  /** Returns true if identity columns restart. */
  public boolean restartsIdentity() {
    return restartsIdentity;
  }

  /** Returns the behavior; CASCADE also removes the rows of tables that refer to these. */
  public DropBehavior behavior() {
    return behavior;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(names);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new TruncateTable(pos, (SqlNodeList) children.get(0), restartsIdentity, behavior);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("TRUNCATE TABLE");
    Writing.commaSeparated(writer, names);
    Writing.keywordIf(writer, restartsIdentity, "RESTART IDENTITY");
    Writing.keywordIf(writer, behavior != DropBehavior.UNSPECIFIED, behavior.name());
  }
}
