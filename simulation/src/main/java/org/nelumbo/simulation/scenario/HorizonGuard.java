package org.nelumbo.simulation.scenario;

import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A check that the horizons of compute nodes in a shared pool follow the clock unless they are held
 * back: by the recovery of a compute node, or by a recent old snapshot.
 */
final class HorizonGuard {
  private static final long LOOK_NANOS = 1_000_000;

  private final SimWorld world;
  private final Cluster any;
  private final long ageMax;

  /** Start of the period in which no snapshot was older than half of the limit. */
  private long freeSince;

  /**
   * Creates a check.
   *
   * @param any one of the compute nodes
   * @param ageMax maximum age of a horizon, nanoseconds
   */
  HorizonGuard(SimWorld world, Cluster any, long ageMax) {
    this.world = world;
    this.any = any;
    this.ageMax = ageMax;
  }

  /** Starts a background task that checks all compute nodes periodically. */
  void start() {
    world.spawnInBackground(world.addNode("guard"), "guard", this::run);
  }

  private void run() {
    freeSince = world.now();
    while (true) {
      world.sleepUntil(world.now() + LOOK_NANOS);
      if (!any.areAllAtWork() || hasOldPin()) {
        freeSince = world.now();
      } else if (world.now() - freeSince > ageMax / 2) {
        any.together().forEach(this::check);
      }
    }
  }

  private boolean hasOldPin() {
    return any.together().stream()
        .map(each -> each.engine().epochs())
        .anyMatch(each -> each.horizon() == 0 || each.oldestPinNanos() > ageMax / 2);
  }

  private void check(Cluster each) {
    Epochs epochs = each.engine().epochs();
    if (epochs.horizonNanos() > ageMax) {
      throw new Violation(
          "the horizon of "
              + each.node().name()
              + " is old, although no snapshot holds it back ns="
              + epochs.horizonNanos());
    }
  }
}
