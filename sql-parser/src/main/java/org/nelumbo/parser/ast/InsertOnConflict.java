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
 * INSERT with ON CONFLICT: rows with an existing key are skipped, or update the existing row.
 *
 * <p>In {@code DO UPDATE}, EXCLUDED is the row that could not be inserted.
 */
public final class InsertOnConflict extends NelumboStatement {
  private final SqlInsert insert;
  private final SqlNodeList conflictColumns;
  private final SqlNode conflictCondition;
  private final SqlIdentifier constraint;
  private final SqlNodeList updateColumns;
  private final SqlNodeList updateValues;
  private final SqlNode condition;

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

  /** Returns the INSERT without ON CONFLICT. */
  public SqlInsert insert() {
    return insert;
  }

  /** Returns the columns or expressions of the conflict key; empty for any key. */
  public SqlNodeList conflictColumns() {
    return conflictColumns;
  }

  /** Returns the condition of the partial index, or null if there is none. */
  public SqlNode conflictCondition() {
    return conflictCondition;
  }

  /** Returns the name of the key after ON CONSTRAINT, or null if there is none. */
  public SqlIdentifier constraint() {
    return constraint;
  }

  /** Returns the assigned columns of DO UPDATE, or null for DO NOTHING. */
  public SqlNodeList updateColumns() {
    return updateColumns;
  }

  /** Returns the values of these columns in the same order, or null for DO NOTHING. */
  public SqlNodeList updateValues() {
    return updateValues;
  }

  /** Returns the WHERE of DO UPDATE, or null if there is none. */
  public SqlNode condition() {
    return condition;
  }

  /** Returns true for DO NOTHING. */
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
