package org.nelumbo.planner;

/** What a statement does when it runs, as far as its caller has to care. */
public enum StatementKind {
  /** Returns rows: SELECT, VALUES, TABLE. */
  QUERY,
  /** Changes rows and returns their count: INSERT, UPDATE, DELETE. */
  UPDATE,
  /** Changes the schema; commits the current transaction before and after. */
  DDL,
  /** COMMIT, ROLLBACK, SAVEPOINT and their kin. */
  TRANSACTION,
  /**
   * Changes a property of the session (SET SCHEMA, SET TRANSACTION ...), or shuts the database
   * down.
   */
  SESSION,
  /** EXPLAIN PLAN FOR, EXPLAIN ANALYZE: returns rows of one text column. */
  EXPLAIN;

  /** Whether a run gives rows rather than an update count. */
  public boolean returnsRows() {
    return this == QUERY || this == EXPLAIN;
  }
}
