package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A constraint that makes columns unique: PRIMARY KEY or UNIQUE. */
public abstract sealed class KeyConstraint extends Constraint
    permits PrimaryKeyConstraint, UniqueConstraint {
  private final String title;
  private final SqlNodeList columns;

  KeyConstraint(
      String title, SqlKind kind, SqlParserPos pos, SqlIdentifier name, SqlNodeList columns) {
    super(title, kind, pos, name);
    this.title = title;
    this.columns = columns;
  }

  /** Returns the columns of the key, in order. */
  public final SqlNodeList columns() {
    return columns;
  }

  @Override
  public final List<SqlNode> getOperandList() {
    return children(name(), columns);
  }

  @Override
  final void unparseBody(SqlWriter writer, boolean withColumns) {
    writer.keyword(title);
    if (withColumns) {
      Writing.parenthesized(writer, columns);
    }
  }
}
