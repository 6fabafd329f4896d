package org.nelumbo.dm.index;

/**
 * Thrown when an index points to memory that cannot be one of its nodes: memory of the pool is
 * damaged.
 */
public final class DamagedIndexException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DamagedIndexException(String message) {
    super(message);
  }
}
