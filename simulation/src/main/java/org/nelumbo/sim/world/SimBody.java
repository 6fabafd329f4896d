package org.nelumbo.sim.world;

/** What a simulated thread does. */
@FunctionalInterface
public interface SimBody {
  void run() throws Exception;
}
