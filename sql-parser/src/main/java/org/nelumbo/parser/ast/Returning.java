package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** INSERT, UPDATE, DELETE or MERGE with RETURNING: a change that returns the rows it changed. */
public final class Returning extends NelumboStatement {
  private final SqlNode change;
  private final SqlNodeList items;

  public Returning(SqlParserPos pos, SqlNode change, SqlNodeList items) {
    super(StatementKinds.of(change).returning(), SqlKind.OTHER, pos);
    this.change = change;
    this.items = items;
  }

  /** Returns the statement that changes rows. */
  public SqlNode change() {
    return change;
  }

  /** Returns the items returned for each row, as in the list of a SELECT. */
  public SqlNodeList items() {
    return items;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(change, items);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new Returning(pos, children.get(0), (SqlNodeList) children.get(1));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    change.unparse(writer, 0, 0);
    writer.keyword("RETURNING");
    Writing.commaSeparated(writer, items);
  }
}
