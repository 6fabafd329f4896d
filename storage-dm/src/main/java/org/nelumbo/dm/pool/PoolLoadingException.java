package org.nelumbo.dm.pool;

/**
 * A pool cannot be opened yet: it is still being loaded from the disks of memory nodes. The message
 * says how far that is.
 */
public final class PoolLoadingException extends PoolOpenException {
  private static final long serialVersionUID = 1L;

  public PoolLoadingException(String message) {
    super(message);
  }
}
