package org.nelumbo.dm.pool;

/**
 * A pool cannot be opened yet: a memory node is still loading what it has on its disk. The message
 * says how far that is.
 */
public final class PoolLoadingException extends PoolOpenException {
  private static final long serialVersionUID = 1L;

  public PoolLoadingException(String message) {
    super(message);
  }
}
