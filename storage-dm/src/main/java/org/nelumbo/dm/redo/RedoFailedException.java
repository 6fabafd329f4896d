package org.nelumbo.dm.redo;

/** The log cannot be written any more: what was not forced by then may be lost. */
public final class RedoFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RedoFailedException(String place, Throwable cause) {
    super("the log in " + place + " cannot be written any more: " + cause, cause);
  }
}
