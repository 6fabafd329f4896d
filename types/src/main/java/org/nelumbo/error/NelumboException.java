package org.nelumbo.error;

/**
 * The failure of a statement or transaction, with a message for the user: what failed, where, and
 * what to do. Serialization failures and constraint violations have no stack trace: many programs
 * expect them, and the location in the engine would not help.
 */
public final class NelumboException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final int line;
  private final int column;

  /** Creates an error without a cause and without a position in the SQL text. */
  public NelumboException(ErrorCode code, String message) {
    this(code, message, null, 0, 0);
  }

  /** Creates an error without a position in the SQL text. */
  public NelumboException(ErrorCode code, String message, Throwable cause) {
    this(code, message, cause, 0, 0);
  }

  /**
   * Creates an error with a position in the SQL text; {@code line} and {@code column} count from 1.
   */
  public NelumboException(ErrorCode code, String message, int line, int column) {
    this(code, message, null, line, column);
  }

  /**
   * Creates an error with a position in the SQL text; {@code line} and {@code column} count from 1,
   * 0 means unknown.
   */
  public NelumboException(ErrorCode code, String message, Throwable cause, int line, int column) {
    super(message, cause, false, !code.isExpected());
    this.code = code;
    this.line = line;
    this.column = column;
  }

  /** Returns the error code, which determines the SQLState. */
  public ErrorCode code() {
    return code;
  }

  /** Returns the SQLState, five characters. */
  public String sqlState() {
    return code.sqlState();
  }

  /** Returns the line in the SQL text, counted from 1, or 0 if it is unknown. */
  public int line() {
    return line;
  }

  /** Returns the column in the SQL text, counted from 1, or 0 if it is unknown. */
  public int column() {
    return column;
  }
}
