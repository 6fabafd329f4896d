package org.nelumbo.dm.agreement;

/**
 * Thrown when too few acceptors have responded. The result of the requested change is unknown:
 * another proposer may complete it.
 */
public final class NoMajorityException extends Exception {
  private static final long serialVersionUID = 1L;

  public NoMajorityException(String message) {
    super(message);
  }
}
