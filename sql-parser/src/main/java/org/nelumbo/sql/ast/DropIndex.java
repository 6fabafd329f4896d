package org.nelumbo.sql.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.sql.StatementKind;

/** DROP INDEX. */
public final class DropIndex extends NelumboStatement {
  private final SqlIdentifier name;
  private final SqlIdentifier table;
  private final boolean ifExists;

  /** Made by the parser; the arguments are described at the getters. */
  public DropIndex(SqlParserPos pos, SqlIdentifier name, SqlIdentifier table, boolean ifExists) {
    super(StatementKind.DROP_INDEX, SqlKind.DROP_INDEX, pos);
    this.name = name;
    this.table = table;
    this.ifExists = ifExists;
  }

  /** The index. */
  public SqlIdentifier name() {
    return name;
  }

  /** The table after ON; null if none. */
  public SqlIdentifier table() {
    return table;
  }

  /** Whether a missing index is no error. */
  public boolean ifExists() {
    return ifExists;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name, table);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new DropIndex(
        pos, (SqlIdentifier) children.get(0), (SqlIdentifier) children.get(1), ifExists);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("DROP INDEX");
    Writing.keywordIf(writer, ifExists, "IF EXISTS");
    name.unparse(writer, 0, 0);
    Writing.clauseIf(writer, "ON", table);
  }
}
