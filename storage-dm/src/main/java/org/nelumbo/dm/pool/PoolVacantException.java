package org.nelumbo.dm.pool;

/**
 * Thrown when a pool cannot be joined because it has no members: a compute node that attaches
 * exclusively recovers it.
 */
public final class PoolVacantException extends PoolOpenException {
  private static final long serialVersionUID = 1L;

  public PoolVacantException(String message) {
    super(message);
  }
}
