package org.nelumbo.dm.index;

/** An index has a node that cannot be part of it: memory of the pool is damaged. */
public final class DamagedIndexException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DamagedIndexException(String message) {
    super(message);
  }
}
