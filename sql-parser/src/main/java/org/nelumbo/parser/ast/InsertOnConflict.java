package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * INSERT with ON CONFLICT: rows whose key is taken are left out or update the row that is there.
 *
 * <p>In {@code DO UPDATE} the row that could not be inserted is called EXCLUDED.
 */
public final class InsertOnConflict extends NelumboStatement {
  private final SqlInsert insert;
  private final SqlNodeList conflictColumns;
  private final SqlNodeList updateColumns;
  private final SqlNodeList updateValues;
  private final SqlNode condition;

  /** Made by the parser; the arguments are described at the getters. */
  public InsertOnConflict(
      SqlParserPos pos,
      SqlInsert insert,
      SqlNodeList conflictColumns,
      SqlNodeList updateColumns,
      SqlNodeList updateValues,
      SqlNode condition) {
    super(StatementKind.INSERT, SqlKind.OTHER, pos);
    this.insert = insert;
    this.conflictColumns = conflictColumns;
    this.updateColumns = updateColumns;
    this.updateValues = updateValues;
    this.condition = condition;
  }

  /** The insert itself. */
  public SqlInsert insert() {
    return insert;
  }

  /** The columns of the key meant; empty if any key. */
  public SqlNodeList conflictColumns() {
    return conflictColumns;
  }

  /** The columns that DO UPDATE sets; null for DO NOTHING. */
  public SqlNodeList updateColumns() {
    return updateColumns;
  }

  /** Their values, in the same order; null for DO NOTHING. */
  public SqlNodeList updateValues() {
    return updateValues;
  }

  /** The WHERE of DO UPDATE; null if none. */
  public SqlNode condition() {
    return condition;
  }

  /** Whether conflicting rows are simply left out. */
  public boolean doesNothing() {
    return updateColumns == null;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(insert, conflictColumns, updateColumns, updateValues, condition);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new InsertOnConflict(
        pos,
        (SqlInsert) children.get(0),
        (SqlNodeList) children.get(1),
        (SqlNodeList) children.get(2),
        (SqlNodeList) children.get(3),
        children.get(4));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    insert.unparse(writer, 0, 0);
    writer.keyword("ON CONFLICT");
    Writing.parenthesizedIf(writer, conflictColumns);
    if (updateColumns == null) {
      writer.keyword("DO NOTHING");
      return;
    }
    writer.keyword("DO UPDATE SET");
    SqlWriter.Frame frame = writer.startList("", "");
    for (int i = 0; i < updateColumns.size(); i++) {
      writer.sep(",");
      updateColumns.get(i).unparse(writer, 0, 0);
      writer.keyword("=");
      updateValues.get(i).unparse(writer, 0, 0);
    }
    writer.endList(frame);
    Writing.clauseIf(writer, "WHERE", condition);
  }
}
