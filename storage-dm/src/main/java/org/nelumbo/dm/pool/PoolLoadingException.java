package org.nelumbo.dm.pool;

/**
 * Thrown when a pool cannot be opened yet because it is still being loaded from the disks of memory
 * nodes. The message reports the progress.
 */
public final class PoolLoadingException extends PoolOpenException {
  private static final long serialVersionUID = 1L;

  public PoolLoadingException(String message) {
    super(message);
  }
}
