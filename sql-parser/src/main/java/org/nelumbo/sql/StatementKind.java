package org.nelumbo.sql;

import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.sql.ast.NelumboStatement;

/** The sorts of statements, told apart without looking into them. */
public enum StatementKind {
  /** SELECT, VALUES, TABLE, WITH and their set operations. */
  QUERY(Group.QUERY),
  /** A query that locks the rows it returns: FOR UPDATE, FOR SHARE. */
  LOCKING_QUERY(Group.QUERY),
  INSERT(Group.CHANGE),
  UPDATE(Group.CHANGE),
  DELETE(Group.CHANGE),
  MERGE(Group.CHANGE),
  /** EXPLAIN and EXPLAIN PLAN FOR. */
  EXPLAIN(Group.QUERY),
  /** Runs the statement and reports what it cost. */
  EXPLAIN_ANALYZE(Group.QUERY),
  /** DESCRIBE of a table or schema. */
  DESCRIBE(Group.QUERY),
  CREATE_TABLE(Group.DEFINITION),
  DROP_TABLE(Group.DEFINITION),
  ALTER_TABLE(Group.DEFINITION),
  TRUNCATE_TABLE(Group.DEFINITION),
  CREATE_INDEX(Group.DEFINITION),
  DROP_INDEX(Group.DEFINITION),
  CREATE_SCHEMA(Group.DEFINITION),
  DROP_SCHEMA(Group.DEFINITION),
  START_TRANSACTION(Group.TRANSACTION),
  SET_TRANSACTION(Group.TRANSACTION),
  COMMIT(Group.TRANSACTION),
  ROLLBACK(Group.TRANSACTION),
  SAVEPOINT(Group.TRANSACTION),
  RELEASE_SAVEPOINT(Group.TRANSACTION),
  SET_SCHEMA(Group.SESSION),
  /** SET name = value, RESET name. */
  SET_OPTION(Group.SESSION),
  ANALYZE_TABLE(Group.SESSION),
  SHUTDOWN(Group.SESSION),
  /** CALL of a procedure. */
  CALL(Group.SESSION);

  private enum Group {
    QUERY,
    CHANGE,
    DEFINITION,
    TRANSACTION,
    SESSION
  }

  private final Group group;
  private final String title;

  StatementKind(Group group) {
    this.group = group;
    this.title = name().replace('_', ' ');
  }

  /** The kind of a statement made by {@link SqlParsing}. */
  public static StatementKind of(SqlNode statement) {
    if (statement instanceof NelumboStatement ours) {
      return ours.statementKind();
    }
    return switch (statement.getKind()) {
      case INSERT -> INSERT;
      case UPDATE -> UPDATE;
      case DELETE -> DELETE;
      case MERGE -> MERGE;
      case EXPLAIN -> EXPLAIN;
      case DESCRIBE_TABLE, DESCRIBE_SCHEMA -> DESCRIBE;
      case SET_OPTION -> SET_OPTION;
      case PROCEDURE_CALL -> CALL;
      default -> {
        if (statement.isA(SqlKind.QUERY)) {
          yield QUERY;
        }
        throw new IllegalArgumentException("not a statement, kind=" + statement.getKind());
      }
    };
  }

  /** The keywords that start such a statement, as a person would say them. */
  public String title() {
    return title;
  }

  /** Whether the statement answers with rows. */
  public boolean returnsRows() {
    return group == Group.QUERY;
  }

  /** Whether the statement changes rows and answers with their number. */
  public boolean changesRows() {
    return group == Group.CHANGE;
  }

  /** Whether the statement changes the catalog (DDL, and TRUNCATE). */
  public boolean changesCatalog() {
    return group == Group.DEFINITION;
  }

  /** Whether the statement begins, ends or shapes transactions. */
  public boolean controlsTransaction() {
    return group == Group.TRANSACTION;
  }
}
