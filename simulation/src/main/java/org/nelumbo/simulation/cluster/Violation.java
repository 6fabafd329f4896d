package org.nelumbo.simulation.cluster;

/** A violation of an invariant: a defect of the engine or of a check. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Violation(String message) {
    super(message);
  }

  public Violation(String message, Throwable cause) {
    super(message, cause);
  }
}
