package org.nelumbo.dm.agreement;

/**
 * Too few acceptors have answered. Whether the change that was asked for comes about is not known:
 * somebody else may complete it.
 */
public final class NoMajorityException extends Exception {
  private static final long serialVersionUID = 1L;

  public NoMajorityException(String message) {
    super(message);
  }
}
