package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * {@code INDEX name (columns)} among the elements of a table, as in MySQL. It is not a constraint,
 * but is written and named like one.
 */
public final class TableIndex extends Constraint {
  private final SqlNodeList columns;

  public TableIndex(SqlParserPos pos, SqlIdentifier name, SqlNodeList columns) {
    super("INDEX", SqlKind.OTHER, pos, name);
    this.columns = columns;
  }

  /** Returns the columns of the index, in order. */
  public SqlNodeList columns() {
    return columns;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name(), columns);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new TableIndex(pos, (SqlIdentifier) children.get(0), (SqlNodeList) children.get(1));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("INDEX");
    if (name() != null) {
      name().unparse(writer, 0, 0);
    }
    Writing.parenthesized(writer, columns);
  }

  @Override
  void unparseBody(SqlWriter writer, boolean withColumns) {
    throw new IllegalStateException("an index is not a constraint");
  }
}
