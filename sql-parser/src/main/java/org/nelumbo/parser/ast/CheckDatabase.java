package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** CHECK DATABASE, CHECK TABLE t: whether indexes, rows and constraints agree. */
public final class CheckDatabase extends NelumboStatement {
  private final SqlIdentifier table;

  /** Made by the parser; the arguments are described at the getters. */
  public CheckDatabase(SqlParserPos pos, SqlIdentifier table) {
    super(StatementKind.CHECK, SqlKind.OTHER, pos);
    this.table = table;
  }

  /** The table; null for all. */
  public SqlIdentifier table() {
    return table;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(table);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new CheckDatabase(pos, (SqlIdentifier) children.get(0));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(table == null ? "CHECK DATABASE" : "CHECK TABLE");
    if (table != null) {
      table.unparse(writer, 0, 0);
    }
  }
}
