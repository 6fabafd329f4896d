package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** TRUNCATE TABLE: removes all rows. */
public final class TruncateTable extends NelumboStatement {
  private final SqlIdentifier name;

  /** Made by the parser; the arguments are described at the getters. */
  public TruncateTable(SqlParserPos pos, SqlIdentifier name) {
    super(StatementKind.TRUNCATE_TABLE, SqlKind.TRUNCATE_TABLE, pos);
    this.name = name;
  }

  /** The table. */
  public SqlIdentifier name() {
    return name;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new TruncateTable(pos, (SqlIdentifier) children.get(0));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("TRUNCATE TABLE");
    name.unparse(writer, 0, 0);
  }
}
