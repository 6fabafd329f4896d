package org.nelumbo.error;

import java.util.HashMap;
import java.util.Map;

/**
 * Every error a user can meet: its SQLState, and what it leaves of the transaction it happened in.
 * Nothing else in the project names a SQLState.
 *
 * <p>After most errors the statement has been taken back and the transaction goes on. After those
 * of {@link #endsTransaction} it is over; of these {@link #isRetryable} says that running it again
 * may succeed, {@link #unknownOutcome} that it may have been committed.
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
  /** Views or defaults use what is to be dropped. */
  DEPENDENT_OBJECTS("2BP01"),
  NO_SUCH_SAVEPOINT("3B001"),
  NO_SUCH_CATALOG("3D000"),
  NO_SUCH_SCHEMA("3F000"),
  SERIALIZATION_FAILURE("40001", Effect.TRANSACTION_TO_RETRY),
  STATEMENT_OUTCOME_UNKNOWN("40003", Effect.OUTCOME_UNKNOWN),
  /** A number of a sequence is asked for that the session has not drawn. */
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
  /** ON CONFLICT names columns or a constraint that are no key. */
  NO_SUCH_KEY("42P10"),
  /** Fewer copies of the pool are live than a commit is to have. */
  TOO_FEW_COPIES("53000", Effect.TRANSACTION_ENDED),
  /** The disk has no room for the temporary file of a statement. */
  DISK_FULL("53100"),
  /** A statement has used up what it may. */
  OUT_OF_MEMORY("53200"),
  /** The pool has no room. */
  POOL_FULL("53200"),
  /** The JVM has no heap left, wherever that was noticed. */
  HEAP_EXHAUSTED("53200", Effect.TRANSACTION_ENDED),
  /** The pool has no commit timestamps left. */
  NO_TIMESTAMPS("53400", Effect.TRANSACTION_ENDED),
  LIMIT_EXCEEDED("54000"),
  /** The statement cannot be planned, since it is nested too deeply or has too many parts. */
  STATEMENT_TOO_COMPLEX("54001"),
  /** The thread has no stack left, wherever that was noticed. */
  STACK_EXHAUSTED("54001", Effect.TRANSACTION_ENDED),
  OBJECT_IN_USE("55006"),
  LOCK_NOT_AVAILABLE("55P03"),
  CANCELLED("57014", Effect.TRANSACTION_ENDED),
  SHUT_DOWN("57P01", Effect.TRANSACTION_ENDED),
  /** The pool is being loaded: it can be used in a while. */
  STARTING("57P03", Effect.TRANSACTION_ENDED),
  IO_ERROR("58030", Effect.TRANSACTION_ENDED),
  INTERNAL("XX000", Effect.TRANSACTION_ENDED),
  /** A table was found damaged when the pool was opened, or a row when it was read. */
  DATA_CORRUPTED("XX001", Effect.TRANSACTION_ENDED);

  /** What a failure leaves of the transaction it happened in. */
  private enum Effect {
    /** The statement has been taken back; the transaction goes on. */
    STATEMENT_UNDONE,
    /** The transaction has been rolled back, or cannot go on. */
    TRANSACTION_ENDED,
    /** The transaction has been rolled back; nothing was wrong with it. */
    TRANSACTION_TO_RETRY,
    /** The transaction is over, and was committed or not. */
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

  /**
   * The error that has this SQLState, the first of several; {@link #INTERNAL} if none of ours has.
   */
  public static ErrorCode ofSqlState(String sqlState) {
    return BY_SQL_STATE.getOrDefault(sqlState, INTERNAL);
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
    return isRetryable() || sqlState.startsWith(CONSTRAINT_VIOLATIONS);
  }

  /** Whether the transaction is over, so that no other statement of it can follow. */
  public boolean endsTransaction() {
    return effect != Effect.STATEMENT_UNDONE;
  }

  /** Whether the transaction, run again from its start, may succeed. */
  public boolean isRetryable() {
    return effect == Effect.TRANSACTION_TO_RETRY;
  }

  /** Whether the transaction may have been committed all the same. */
  public boolean unknownOutcome() {
    return effect == Effect.OUTCOME_UNKNOWN;
  }
}
