package org.nelumbo.error;

import java.util.HashMap;
import java.util.Map;

/**
 * The errors that users can see. Each has a SQLState and an effect on the transaction in which it
 * occurs. All SQLStates of the project are defined here.
 *
 * <p>After most errors the changes of the statement are undone and the transaction can continue.
 * Errors with {@link #endsTransaction} end the transaction. {@link #isRetryable} returns true if
 * the transaction may succeed when it is run again; {@link #unknownOutcome} returns true if it may
 * have been committed.
 */
public enum ErrorCode {
  PARAMETER_NOT_SET("07001"),
  BAD_INDEX("07009"),
  CONNECTION_FAILED("08001", Effect.TRANSACTION_ENDED),
  CONNECTION_CLOSED("08003", Effect.TRANSACTION_ENDED),
  CONNECTION_LOST("08006", Effect.TRANSACTION_ENDED),
  OUTCOME_UNKNOWN("08007", Effect.OUTCOME_UNKNOWN),
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
  BAD_REGULAR_EXPRESSION("2201B"),
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
  /** An object cannot be dropped because views or defaults depend on it. */
  DEPENDENT_OBJECTS("2BP01"),
  NO_SUCH_SAVEPOINT("3B001"),
  NO_SUCH_CATALOG("3D000"),
  NO_SUCH_SCHEMA("3F000"),
  SERIALIZATION_FAILURE("40001", Effect.TRANSACTION_TO_RETRY),
  STATEMENT_OUTCOME_UNKNOWN("40003", Effect.OUTCOME_UNKNOWN),
  /** The session has not drawn a number from the sequence whose current number it reads. */
  NOT_YET_DRAWN("55000"),
  INVALID_STATEMENT("42000"),
  SYNTAX_ERROR("42601"),
  OBJECT_EXISTS("42S01"),
  NO_SUCH_TABLE("42S02"),
  INDEX_EXISTS("42S11"),
  NO_SUCH_INDEX("42S12"),
  COLUMN_EXISTS("42S21"),
  NO_SUCH_COLUMN("42S22"),
  NO_SUCH_TYPE("42704"),
  TYPE_MISMATCH("42804"),
  /** The columns or the constraint named by ON CONFLICT are not a key. */
  NO_SUCH_KEY("42P10"),
  /** Fewer copies of the pool are live than a commit requires. */
  TOO_FEW_COPIES("53000", Effect.TRANSACTION_ENDED),
  /** The disk has no space left for the temporary file of a statement. */
  DISK_FULL("53100"),
  /** A statement has reached its memory limit. */
  OUT_OF_MEMORY("53200"),
  /** The pool has no free memory. */
  POOL_FULL("53200"),
  /** The JVM has no heap left, regardless of where the failure was detected. */
  HEAP_EXHAUSTED("53200", Effect.TRANSACTION_ENDED),
  /** The pool has no commit timestamps left. */
  NO_TIMESTAMPS("53400", Effect.TRANSACTION_ENDED),
  LIMIT_EXCEEDED("54000"),
  /** The statement cannot be planned because it is nested too deeply or has too many parts. */
  STATEMENT_TOO_COMPLEX("54001"),
  /** The thread has no stack left, regardless of where the failure was detected. */
  STACK_EXHAUSTED("54001", Effect.TRANSACTION_ENDED),
  OBJECT_IN_USE("55006"),
  LOCK_NOT_AVAILABLE("55P03"),
  CANCELLED("57014", Effect.TRANSACTION_ENDED),
  SHUT_DOWN("57P01", Effect.TRANSACTION_ENDED),
  /** The pool is being loaded and will be available later. */
  STARTING("57P03", Effect.TRANSACTION_ENDED),
  IO_ERROR("58030", Effect.TRANSACTION_ENDED),
  INTERNAL("XX000", Effect.TRANSACTION_ENDED),
  /**
   * A table is damaged (detected when the pool is opened), or a row is (detected when it is read).
   */
  DATA_CORRUPTED("XX001", Effect.TRANSACTION_ENDED);

  /** The effect of an error on the transaction in which it occurs. */
  private enum Effect {
    /** The changes of the statement are undone; the transaction can continue. */
    STATEMENT_UNDONE,
    /** The transaction has been rolled back, or cannot continue. */
    TRANSACTION_ENDED,
    /** The transaction has been rolled back because of a conflict and can be retried. */
    TRANSACTION_TO_RETRY,
    /** The transaction has ended, committed or not. */
    OUTCOME_UNKNOWN
  }

  private static final String CONSTRAINT_VIOLATIONS = "23";
  private static final Map<String, ErrorCode> BY_SQL_STATE = new HashMap<>();

  static {
    for (ErrorCode code : values()) {
      BY_SQL_STATE.putIfAbsent(code.sqlState, code);
    }
  }

  private final String sqlState;
  private final Effect effect;

  ErrorCode(String sqlState) {
    this(sqlState, Effect.STATEMENT_UNDONE);
  }

  ErrorCode(String sqlState, Effect effect) {
    this.sqlState = sqlState;
    this.effect = effect;
  }

  /** Returns the first error with this SQLState, or {@link #INTERNAL} if no error has it. */
  public static ErrorCode ofSqlState(String sqlState) {
    return BY_SQL_STATE.getOrDefault(sqlState, INTERNAL);
  }

  /** Returns the SQLState, five characters. */
  public String sqlState() {
    return sqlState;
  }

  /**
   * Returns true if correct programs meet the error in normal operation: they retry, or learn that
   * a row exists already.
   */
  boolean isExpected() {
    return isRetryable() || sqlState.startsWith(CONSTRAINT_VIOLATIONS);
  }

  /** Returns true if the transaction has ended, so that it cannot run another statement. */
  public boolean endsTransaction() {
    return effect != Effect.STATEMENT_UNDONE;
  }

  /** Returns true if the transaction may succeed when it is run again from its start. */
  public boolean isRetryable() {
    return effect == Effect.TRANSACTION_TO_RETRY;
  }

  /** Returns true if the transaction may have been committed despite the error. */
  public boolean unknownOutcome() {
    return effect == Effect.OUTCOME_UNKNOWN;
  }
}
