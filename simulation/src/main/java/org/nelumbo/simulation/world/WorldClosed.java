package org.nelumbo.simulation.world;

/**
 * Unwinds the remaining simulated threads when their world ends. It is never caught by the code of
 * a simulated thread.
 */
final class WorldClosed extends Error {
  private static final long serialVersionUID = 1L;

  WorldClosed() {
    super("the simulated world has ended", null, false, false);
  }
}
