package org.nelumbo.simulation.world;

/** What a simulated thread does. */
@FunctionalInterface
public interface SimTaskBody {
  void run() throws Exception;
}
