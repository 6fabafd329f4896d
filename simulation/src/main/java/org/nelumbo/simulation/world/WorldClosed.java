package org.nelumbo.simulation.world;

/** Unwinds what is left of simulated threads when their world ends; nobody catches it. */
final class WorldClosed extends Error {
  private static final long serialVersionUID = 1L;

  WorldClosed() {
    super("the simulated world has ended", null, false, false);
  }
}
