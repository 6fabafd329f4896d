package org.nelumbo.database.workload;

import org.nelumbo.session.StatementKind;

/** The classes of statements that have a histogram each. */
public enum StatementClass {
  QUERY,
  INSERT,
  UPDATE,
  DELETE,
  /** CREATE, ALTER, DROP, TRUNCATE. */
  DDL,
  COMMIT,
  OTHER;

  /** The class of a kind of statements. */
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
