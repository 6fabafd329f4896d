package org.nelumbo.simulation.fabric;

import org.nelumbo.simulation.world.SimEvent;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * What becomes of the verbs that a stopped coordinator had posted: a queue pair delivers them in
 * order up to some point, and may do so long after.
 */
final class InFlightVerbs {
  private static final long LATE_NANOS = 1_000_000;

  private final SimFabric fabric;
  private final SimWorld world;
  private final SimRandom random;

  InFlightVerbs(SimFabric fabric) {
    this.fabric = fabric;
    this.world = fabric.world();
    this.random = world.random("in flight");
  }

  void lose(SimTask task) {
    for (SimChannel channel : fabric.channels()) {
      if (channel.owner() == task) {
        for (int node = 0; node < fabric.nodeCount(); node++) {
          scatter(channel, node, 0);
        }
      }
    }
  }

  void scatter(SimTask task) {
    for (SimChannel channel : fabric.channels()) {
      if (channel.owner() == task) {
        for (int node = 0; node < fabric.nodeCount(); node++) {
          scatter(channel, node, random.nextInt(flying(channel, node) + 1));
        }
      }
    }
  }

  private static int flying(SimChannel channel, int node) {
    int count = 0;
    for (int i = 0; i < channel.posted(); i++) {
      count += isFlying(channel.verb(i), node) ? 1 : 0;
    }
    return count;
  }

  private static boolean isFlying(SimVerb verb, int node) {
    return verb.node.id() == node && verb.partsLeft > 0;
  }

  /** The first {@code kept} verbs to a node will land, perhaps late; the others never will. */
  private void scatter(SimChannel channel, int node, int kept) {
    int left = kept;
    long at = world.now();
    for (int i = 0; i < channel.posted(); i++) {
      SimVerb verb = channel.verb(i);
      if (!isFlying(verb, node)) {
        continue;
      }
      boolean lands = left-- > 0 && !verb.lost;
      if (lands && random.chance(0.5)) {
        at += random.nextLong(LATE_NANOS);
      }
      verb.lost = true;
      if (lands) {
        world.trace().event(at, verb.task.id(), 17, verb.address, at);
        world.schedule(new Late(verb), at++);
      }
    }
  }

  /** A verb that lands although its coordinator has stopped. */
  private static final class Late extends SimEvent {
    private final SimVerb verb;

    Late(SimVerb verb) {
      this.verb = verb;
    }

    @Override
    protected void fire() {
      verb.lost = false;
      verb.partsLeft = 1;
      verb.land(0, verb.length);
      verb.lost = true;
    }
  }
}
