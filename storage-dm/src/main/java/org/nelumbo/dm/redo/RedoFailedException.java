package org.nelumbo.dm.redo;

/**
 * Thrown if the log can no longer be written. Entries that were not forced before the failure may
 * be lost.
 */
public final class RedoFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RedoFailedException(String location, Throwable cause) {
    super("the log in " + location + " can no longer be written: " + cause, cause);
  }
}
