package org.nelumbo.simulation.scenario;

import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A check that the horizons of compute nodes that share a pool follow the clock where nothing holds
 * them back: none of them is being recovered, and none has had an old snapshot lately.
 */
final class HorizonGuard {
  private static final long LOOK_NANOS = 1_000_000;

  private final SimWorld world;
  private final Cluster any;
  private final long ageMax;

  /** Since then no snapshot was older than half of the limit. */
  private long freeSince;

  /**
   * A check.
   *
   * @param any one of the compute nodes
   * @param ageMax the age that a horizon may have, nanoseconds
   */
  HorizonGuard(SimWorld world, Cluster any, long ageMax) {
    this.world = world;
    this.any = any;
    this.ageMax = ageMax;
  }

  /** Looks again and again, in the background. */
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
              + " is old, and nothing holds it back ns="
              + epochs.horizonNanos());
    }
  }
}
