package org.nelumbo.executor.error;

/**
 * Every error a user can meet, with its SQLState. Nothing else in the project names a SQLState.
 *
 * <p>{@link #isRetryable()} says that running the whole transaction again may succeed.
 */
public enum ErrorCode {
  PARAMETER_NOT_SET("07001"),
  BAD_INDEX("07009"),
  CONNECTION_FAILED("08001"),
  CONNECTION_CLOSED("08003"),
  CONNECTION_LOST("08006"),
  OUTCOME_UNKNOWN("08007"),
  UNSUPPORTED("0A000"),
  CARDINALITY("21000"),
  STRING_TOO_LONG("22001"),
  NUMBER_OUT_OF_RANGE("22003"),
  BAD_DATETIME("22007"),
  DATETIME_OVERFLOW("22008"),
  DIVISION_BY_ZERO("22012"),
  BAD_CAST("22018"),
  BAD_ESCAPE("22019"),
  BAD_CHARACTER("22021"),
  BAD_PARAMETER("22023"),
  BAD_SUBSTRING("22011"),
  BAD_LOGARITHM("2201E"),
  BAD_POWER("2201F"),
  NOT_NULL_VIOLATION("23502"),
  FOREIGN_KEY_VIOLATION("23503"),
  UNIQUE_VIOLATION("23505"),
  CHECK_VIOLATION("23514"),
  INVALID_CURSOR("24000"),
  INVALID_TRANSACTION_STATE("25000"),
  TRANSACTION_ACTIVE("25001"),
  READ_ONLY_TRANSACTION("25006"),
  NO_ACTIVE_TRANSACTION("25P01"),
  TRANSACTION_FAILED("25P02"),
  BAD_AUTHORIZATION("28000"),
  NO_SUCH_SAVEPOINT("3B001"),
  NO_SUCH_CATALOG("3D000"),
  NO_SUCH_SCHEMA("3F000"),
  SERIALIZATION_FAILURE("40001", true),
  STATEMENT_OUTCOME_UNKNOWN("40003"),
  INVALID_STATEMENT("42000"),
  SYNTAX_ERROR("42601"),
  OBJECT_EXISTS("42S01"),
  NO_SUCH_TABLE("42S02"),
  INDEX_EXISTS("42S11"),
  NO_SUCH_INDEX("42S12"),
  COLUMN_EXISTS("42S21"),
  NO_SUCH_COLUMN("42S22"),
  TYPE_MISMATCH("42804"),
  OUT_OF_MEMORY("53200"),
  LIMIT_EXCEEDED("54000"),
  OBJECT_IN_USE("55006"),
  LOCK_NOT_AVAILABLE("55P03"),
  CANCELLED("57014"),
  SHUT_DOWN("57P01"),
  IO_ERROR("58030"),
  INTERNAL("XX000");

  private static final String CONSTRAINT_VIOLATIONS = "23";

  private final String sqlState;
  private final boolean retryable;

  ErrorCode(String sqlState) {
    this(sqlState, false);
  }

  ErrorCode(String sqlState, boolean retryable) {
    this.sqlState = sqlState;
    this.retryable = retryable;
  }

  /** The five characters JDBC users see. */
  public String sqlState() {
    return sqlState;
  }

  /**
   * Whether programs meet it where nothing is wrong: they try again, or learn from it that a row is
   * there already.
   */
  boolean isExpected() {
    return retryable || sqlState.startsWith(CONSTRAINT_VIOLATIONS);
  }

  /** Whether the transaction, run again from its start, may succeed. */
  public boolean isRetryable() {
    return retryable;
  }
}
