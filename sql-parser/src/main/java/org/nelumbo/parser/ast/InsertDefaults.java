package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** INSERT INTO t DEFAULT VALUES: inserts one row in which every column has its default. */
public final class InsertDefaults extends NelumboStatement {
  private final SqlIdentifier table;

  public InsertDefaults(SqlParserPos pos, SqlIdentifier table) {
    super(StatementKind.INSERT, SqlKind.OTHER, pos);
    this.table = table;
  }

  public SqlIdentifier table() {
    return table;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(table);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new InsertDefaults(pos, (SqlIdentifier) children.get(0));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(writer, "INSERT INTO", table);
    writer.keyword("DEFAULT VALUES");
  }
}
