package org.nelumbo.session;

/** The kinds of SQL statements. Each belongs to a {@link Category}. */
public enum StatementKind {
  /** SELECT, VALUES, TABLE, WITH and their set operations. */
  QUERY(Category.QUERY),
  /** A query that locks the rows it returns: FOR UPDATE, FOR SHARE. */
  LOCKING_QUERY(Category.QUERY),
  INSERT(Category.UPDATE),
  UPDATE(Category.UPDATE),
  DELETE(Category.UPDATE),
  MERGE(Category.UPDATE),
  INSERT_RETURNING(Category.RETURNING),
  UPDATE_RETURNING(Category.RETURNING),
  DELETE_RETURNING(Category.RETURNING),
  MERGE_RETURNING(Category.RETURNING),
  /** EXPLAIN and EXPLAIN PLAN FOR. */
  EXPLAIN(Category.EXPLAIN),
  /** Runs the statement and reports its plan with measured costs. */
  EXPLAIN_ANALYZE(Category.EXPLAIN),
  /** DESCRIBE of a table or schema. */
  DESCRIBE(Category.QUERY),
  /** SHOW of a session property or of a list of objects. */
  SHOW(Category.QUERY),
  CREATE_TABLE(Category.DDL),
  DROP_TABLE(Category.DDL),
  ALTER_TABLE(Category.DDL),
  TRUNCATE_TABLE(Category.DDL),
  CREATE_INDEX(Category.DDL),
  DROP_INDEX(Category.DDL),
  CREATE_SCHEMA(Category.DDL),
  DROP_SCHEMA(Category.DDL),
  CREATE_VIEW(Category.DDL),
  DROP_VIEW(Category.DDL),
  CREATE_SEQUENCE(Category.DDL),
  ALTER_SEQUENCE(Category.DDL),
  DROP_SEQUENCE(Category.DDL),
  ALTER_INDEX(Category.DDL),
  ALTER_VIEW(Category.DDL),
  COMMENT(Category.DDL),
  /** Restores a backup. */
  RESTORE(Category.DDL),
  START_TRANSACTION(Category.TRANSACTION),
  SET_TRANSACTION(Category.TRANSACTION),
  COMMIT(Category.TRANSACTION),
  ROLLBACK(Category.TRANSACTION),
  SAVEPOINT(Category.TRANSACTION),
  RELEASE_SAVEPOINT(Category.TRANSACTION),
  SET_SCHEMA(Category.SESSION),
  /** SET name = value, RESET name. */
  SET_OPTION(Category.SESSION),
  ANALYZE_TABLE(Category.SESSION),
  BACKUP(Category.SESSION),
  /** Checks the integrity of tables. */
  CHECK(Category.SESSION),
  SHUTDOWN(Category.SESSION);

  /** The effects of statements, as far as they matter to callers. */
  public enum Category {
    /** Returns rows: SELECT, VALUES, TABLE. */
    QUERY,
    /** Changes rows and returns their number: INSERT, UPDATE, DELETE. */
    UPDATE,
    /** Changes rows and returns the changed rows: INSERT ... RETURNING. */
    RETURNING,
    /** Changes the catalog; commits the current transaction before and after. */
    DDL,
    /** Controls transactions: COMMIT, ROLLBACK, SAVEPOINT and similar statements. */
    TRANSACTION,
    /**
     * Changes a property of the session (SET SCHEMA, SET, RESET), maintains the database (ANALYZE,
     * BACKUP, CHECK), or shuts it down.
     */
    SESSION,
    /** Returns rows of one text column: EXPLAIN PLAN FOR, EXPLAIN ANALYZE. */
    EXPLAIN
  }

  private final Category category;
  private final String title;

  StatementKind(Category category) {
    this.category = category;
    this.title = name().replace('_', ' ');
  }

  /**
   * Returns the kind of this change with a RETURNING clause.
   *
   * @throws IllegalStateException if the statement does not change rows
   */
  public StatementKind returning() {
    return switch (this) {
      case INSERT -> INSERT_RETURNING;
      case UPDATE -> UPDATE_RETURNING;
      case DELETE -> DELETE_RETURNING;
      case MERGE -> MERGE_RETURNING;
      default -> throw new IllegalStateException("changes no rows, kind=" + this);
    };
  }

  /** Returns the keywords that such a statement starts with, separated by spaces. */
  public String title() {
    return title;
  }

  /** Returns the category of such a statement. */
  public Category category() {
    return category;
  }

  /** Returns true if a run returns rows, false if it returns an update count. */
  public boolean returnsRows() {
    return category == Category.QUERY
        || category == Category.EXPLAIN
        || category == Category.RETURNING;
  }

  /** Returns true if the statement changes rows and returns their number. */
  public boolean changesRows() {
    return category == Category.UPDATE;
  }

  /** Returns true if the statement changes the catalog (DDL and TRUNCATE). */
  public boolean changesCatalog() {
    return category == Category.DDL;
  }

  /** Returns true if the statement begins, ends or configures transactions. */
  public boolean controlsTransaction() {
    return category == Category.TRANSACTION;
  }
}
