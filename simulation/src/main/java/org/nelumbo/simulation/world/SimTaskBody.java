package org.nelumbo.simulation.world;

/** The code of a simulated thread. */
@FunctionalInterface
public interface SimTaskBody {
  void run() throws Exception;
}
