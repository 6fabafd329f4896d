package org.nelumbo.dm.pool;

/**
 * A pool cannot be entered beside others, because nobody has it: who attaches alone recovers it.
 */
public final class PoolVacantException extends PoolOpenException {
  private static final long serialVersionUID = 1L;

  public PoolVacantException(String message) {
    super(message);
  }
}
