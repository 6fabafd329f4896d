package org.nelumbo.database.workload;

import org.nelumbo.session.StatementKind;

/** Classes of statements, with one histogram per class. */
public enum StatementClass {
  QUERY,
  INSERT,
  UPDATE,
  DELETE,
  /** CREATE, ALTER, DROP, TRUNCATE. */
  DDL,
  COMMIT,
  OTHER;

  /** Returns the class of a kind of statements. */
  public static StatementClass of(StatementKind kind) {
    return switch (kind.category()) {
      case QUERY -> QUERY;
      case DDL -> DDL;
      case UPDATE, RETURNING ->
          switch (kind) {
            case INSERT, INSERT_RETURNING -> INSERT;
            case UPDATE, UPDATE_RETURNING -> UPDATE;
            case DELETE, DELETE_RETURNING -> DELETE;
            default -> OTHER;
          };
      default -> kind == StatementKind.COMMIT ? COMMIT : OTHER;
    };
  }
}
