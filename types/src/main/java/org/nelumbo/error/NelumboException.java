package org.nelumbo.error;

/**
 * A statement or transaction failed for a reason the user should read: what was wrong, where, and
 * what to do. Serialization failures and violated constraints are made without a stack trace: many
 * programs expect them, and where in the engine they arose says nothing.
 */
public final class NelumboException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final int line;
  private final int column;

  public NelumboException(ErrorCode code, String message) {
    this(code, message, null, 0, 0);
  }

  public NelumboException(ErrorCode code, String message, Throwable cause) {
    this(code, message, cause, 0, 0);
  }

  /** An error at a place in the SQL text; {@code line} and {@code column} count from 1. */
  public NelumboException(ErrorCode code, String message, int line, int column) {
    this(code, message, null, line, column);
  }

  /**
   * An error at a place in the SQL text; {@code line} and {@code column} count from 1, 0 = unknown.
   */
  public NelumboException(ErrorCode code, String message, Throwable cause, int line, int column) {
    super(message, cause, false, !code.isExpected());
    this.code = code;
    this.line = line;
    this.column = column;
  }

  public ErrorCode code() {
    return code;
  }

  public String sqlState() {
    return code.sqlState();
  }

  /** Line in the SQL text, from 1; 0 if unknown. */
  public int line() {
    return line;
  }

  /** Column in the SQL text, from 1; 0 if unknown. */
  public int column() {
    return column;
  }
}
