package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A clause of MERGE: {@code WHEN [NOT] MATCHED [AND condition] THEN action}. */
public final class MergeClause extends AstNode {
  private final boolean matched;
  private final Action action;
  private final SqlNode condition;
  private final SqlNodeList columns;
  private final SqlNodeList values;

  /** Actions of a clause. */
  public enum Action {
    UPDATE,
    DELETE,
    INSERT,
    /** DO NOTHING. */
    NOTHING
  }

  public MergeClause(
      SqlParserPos pos,
      boolean matched,
      Action action,
      SqlNode condition,
      SqlNodeList columns,
      SqlNodeList values) {
    super("WHEN", SqlKind.OTHER, pos);
    this.matched = matched;
    this.action = action;
    this.condition = condition;
    this.columns = columns;
    this.values = values;
  }

  /** Returns true if the clause applies to source rows that match a row of the table. */
  public boolean matched() {
    return matched;
  }

  public Action action() {
    return action;
  }

  /** Returns the condition after AND, or null if there is none. */
  public SqlNode condition() {
    return condition;
  }

  /**
   * Returns the columns of UPDATE or INSERT, or null for an INSERT of all columns and for other
   * actions.
   */
  public SqlNodeList columns() {
    return columns;
  }

  /** Returns the values of the columns in order, or null for other actions. */
  public SqlNodeList values() {
    return values;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(condition, columns, values);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new MergeClause(
        pos,
        matched,
        action,
        children.get(0),
        (SqlNodeList) children.get(1),
        (SqlNodeList) children.get(2));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(matched ? "WHEN MATCHED" : "WHEN NOT MATCHED");
    Writing.clauseIf(writer, "AND", condition);
    writer.keyword("THEN");
    switch (action) {
      case UPDATE -> {
        writer.keyword("UPDATE SET");
        Writing.assignments(writer, columns, values);
      }
      case DELETE -> writer.keyword("DELETE");
      case INSERT -> {
        writer.keyword("INSERT");
        Writing.parenthesizedIf(writer, columns);
        writer.keyword("VALUES");
        Writing.parenthesized(writer, values);
      }
      case NOTHING -> writer.keyword("DO NOTHING");
    }
  }
}
