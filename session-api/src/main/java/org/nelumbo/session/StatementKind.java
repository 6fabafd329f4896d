package org.nelumbo.session;

/** The kinds of SQL statements, each of one {@link Category}. */
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
  /** Runs the statement and reports what it cost. */
  EXPLAIN_ANALYZE(Category.EXPLAIN),
  /** DESCRIBE of a table or schema. */
  DESCRIBE(Category.QUERY),
  /** SHOW of a property of the session, or of what there is. */
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
  /** Makes what a backup has. */
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
  /** Whether tables are sound. */
  CHECK(Category.SESSION),
  SHUTDOWN(Category.SESSION);

  /** What a statement does when it runs, as far as its caller has to care. */
  public enum Category {
    /** Returns rows: SELECT, VALUES, TABLE. */
    QUERY,
    /** Changes rows and returns their count: INSERT, UPDATE, DELETE. */
    UPDATE,
    /** Changes rows and returns what they are then: INSERT ... RETURNING. */
    RETURNING,
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
    EXPLAIN
  }

  private final Category category;
  private final String title;

  StatementKind(Category category) {
    this.category = category;
    this.title = name().replace('_', ' ');
  }

  /** The kind of a change that also returns rows. */
  public StatementKind returning() {
    return switch (this) {
      case INSERT -> INSERT_RETURNING;
      case UPDATE -> UPDATE_RETURNING;
      case DELETE -> DELETE_RETURNING;
      case MERGE -> MERGE_RETURNING;
      default -> throw new IllegalStateException("changes no rows, kind=" + this);
    };
  }

  /** The keywords that start such a statement, as a person would say them. */
  public String title() {
    return title;
  }

  /** What such a statement does when it runs. */
  public Category category() {
    return category;
  }

  /** Whether a run gives rows rather than an update count. */
  public boolean returnsRows() {
    return category == Category.QUERY
        || category == Category.EXPLAIN
        || category == Category.RETURNING;
  }

  /** Whether the statement changes rows and returns their number. */
  public boolean changesRows() {
    return category == Category.UPDATE;
  }

  /** Whether the statement changes the catalog (DDL, and TRUNCATE). */
  public boolean changesCatalog() {
    return category == Category.DDL;
  }

  /** Whether the statement begins, ends or shapes transactions. */
  public boolean controlsTransaction() {
    return category == Category.TRANSACTION;
  }
}
