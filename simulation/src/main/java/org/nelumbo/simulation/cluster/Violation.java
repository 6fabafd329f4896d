package org.nelumbo.simulation.cluster;

/** The violation of something that must hold: the engine has a bug, or a check does. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Violation(String message) {
    super(message);
  }
}
