package org.nelumbo.dm.pool;

/**
 * Thrown when a pool cannot be opened: it is in use, or is not the expected pool. The message says
 * what does not fit, and what to do.
 */
public class PoolOpenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PoolOpenException(String message) {
    super(message);
  }

  public PoolOpenException(String message, Throwable cause) {
    super(message, cause);
  }
}
