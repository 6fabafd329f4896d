package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/**
 * INSERT with ON CONFLICT: rows whose key is taken are left out or update the row that is there.
 *
 * <p>In {@code DO UPDATE} the row that could not be inserted is called EXCLUDED.
 */
public final class InsertOnConflict extends NelumboStatement {
  private final SqlInsert insert;
  private final SqlNodeList conflictColumns;
  private final SqlNode conflictCondition;
  private final SqlIdentifier constraint;
  private final SqlNodeList updateColumns;
  private final SqlNodeList updateValues;
  private final SqlNode condition;

  /** Made by the parser; the arguments are described at the getters. */
  public InsertOnConflict(
      SqlParserPos pos,
      SqlInsert insert,
      SqlNodeList conflictColumns,
      SqlNode conflictCondition,
      SqlIdentifier constraint,
      SqlNodeList updateColumns,
      SqlNodeList updateValues,
      SqlNode condition) {
    super(StatementKind.INSERT, SqlKind.OTHER, pos);
    this.insert = insert;
    this.conflictColumns = conflictColumns;
    this.conflictCondition = conflictCondition;
    this.constraint = constraint;
    this.updateColumns = updateColumns;
    this.updateValues = updateValues;
    this.condition = condition;
  }

  /** The insert itself. */
  public SqlInsert insert() {
    return insert;
  }

  /** The columns or expressions of the key meant; empty if any key. */
  public SqlNodeList conflictColumns() {
    return conflictColumns;
  }

  /** The condition of the partial index meant; null if none is said. */
  public SqlNode conflictCondition() {
    return conflictCondition;
  }

  /** The name of the key after ON CONSTRAINT; null if none. */
  public SqlIdentifier constraint() {
    return constraint;
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
    return children(
        insert,
        conflictColumns,
        conflictCondition,
        constraint,
        updateColumns,
        updateValues,
        condition);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new InsertOnConflict(
        pos,
        (SqlInsert) children.get(0),
        (SqlNodeList) children.get(1),
        children.get(2),
        (SqlIdentifier) children.get(3),
        (SqlNodeList) children.get(4),
        (SqlNodeList) children.get(5),
        children.get(6));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    insert.unparse(writer, 0, 0);
    writer.keyword("ON CONFLICT");
    Writing.parenthesizedIf(writer, conflictColumns);
    Writing.clauseIf(writer, "WHERE", conflictCondition);
    Writing.clauseIf(writer, "ON CONSTRAINT", constraint);
    if (updateColumns == null) {
      writer.keyword("DO NOTHING");
      return;
    }
    writer.keyword("DO UPDATE SET");
    Writing.assignments(writer, updateColumns, updateValues);
    Writing.clauseIf(writer, "WHERE", condition);
  }
}
