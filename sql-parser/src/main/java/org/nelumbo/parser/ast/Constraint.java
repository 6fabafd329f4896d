package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A constraint of a table, including one that is written beside its only column. */
public abstract sealed class Constraint extends AstNode
    permits KeyConstraint, ForeignKeyConstraint, CheckConstraint, TableIndex {
  private final SqlIdentifier name;

  Constraint(String title, SqlKind kind, SqlParserPos pos, SqlIdentifier name) {
    super(title, kind, pos);
    this.name = name;
  }

  /** Returns the name after CONSTRAINT, or null if there is none. */
  public final SqlIdentifier name() {
    return name;
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(writer, "CONSTRAINT", name);
    unparseBody(writer, true);
  }

  /** Writes the constraint as beside its column, which is not repeated. */
  final void unparseInColumn(SqlWriter writer) {
    Writing.clauseIf(writer, "CONSTRAINT", name);
    unparseBody(writer, false);
  }

  abstract void unparseBody(SqlWriter writer, boolean withColumns);
}
