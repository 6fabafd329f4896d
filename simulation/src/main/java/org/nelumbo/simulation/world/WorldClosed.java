package org.nelumbo.simulation.world;

/**
 * The error that unwinds the remaining simulated threads when their world ends. The code of a
 * simulated thread never catches it.
 */
final class WorldClosed extends Error {
  private static final long serialVersionUID = 1L;

  WorldClosed() {
    super("the simulated world has ended", null, false, false);
  }
}
