package org.nelumbo.sql.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code PRIMARY KEY (columns)}. */
public final class PrimaryKeyConstraint extends Constraint {
  private final SqlNodeList columns;

  /** Made by the parser; the arguments are described at the getters. */
  public PrimaryKeyConstraint(SqlParserPos pos, SqlIdentifier name, SqlNodeList columns) {
    super("PRIMARY KEY", SqlKind.PRIMARY_KEY, pos, name);
    this.columns = columns;
  }

  /** The columns of the key, in order. */
  public SqlNodeList columns() {
    return columns;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name(), columns);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new PrimaryKeyConstraint(
        pos, (SqlIdentifier) children.get(0), (SqlNodeList) children.get(1));
  }

  @Override
  void unparseBody(SqlWriter writer, boolean withColumns) {
    writer.keyword("PRIMARY KEY");
    if (withColumns) {
      Writing.parenthesized(writer, columns);
    }
  }
}
