package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.session.StatementKind;

/** Determines the kinds of parsed statements. */
public final class StatementKinds {
  private StatementKinds() {}

  /** Returns the kind of a statement parsed by {@link SqlParsing}. */
  public static StatementKind of(SqlNode statement) {
    if (statement instanceof NelumboStatement ours) {
      return ours.statementKind();
    }
    return switch (statement.getKind()) {
      case INSERT -> StatementKind.INSERT;
      case UPDATE -> StatementKind.UPDATE;
      case DELETE -> StatementKind.DELETE;
      case MERGE -> StatementKind.MERGE;
      case EXPLAIN -> StatementKind.EXPLAIN;
      case DESCRIBE_TABLE, DESCRIBE_SCHEMA -> StatementKind.DESCRIBE;
      case SET_OPTION -> StatementKind.SET_OPTION;
      default -> {
        if (statement.isA(SqlKind.QUERY)) {
          yield StatementKind.QUERY;
        }
        throw new IllegalArgumentException("not a statement, kind=" + statement.getKind());
      }
    };
  }
}
