package org.nelumbo.simulation.fabric;

import java.util.List;
import org.nelumbo.simulation.world.SimEvent;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The in-flight verbs of a stopped coordinator: a queue pair delivers them in order up to some
 * point, perhaps long after the stop.
 */
final class InFlightVerbs {
  private static final long LATE_NANOS = 1_000_000;

  private final SimWorld world;
  private final SimRandom random;

  InFlightVerbs(SimWorld world) {
    this.world = world;
    this.random = world.random("in flight");
  }

  /** Discards the verbs to a node that have not landed. */
  void lose(List<SimVerb> posted, int node) {
    keep(posted, node, landsWholly(posted, node) ? posted.size() : 0);
  }

  /**
   * Lands a seeded number of the verbs to a node that have not landed, in order; all or none of a
   * frame.
   */
  void scatter(List<SimVerb> posted, int node, boolean isFrame) {
    if (isFrame) {
      boolean lands = landsWholly(posted, node) || random.chance(0.5);
      keep(posted, node, lands ? posted.size() : 0);
    } else {
      keep(posted, node, random.nextInt(flying(posted, node) + 1));
    }
  }

  private static boolean landsWholly(List<SimVerb> posted, int node) {
    return !posted.isEmpty() && posted.getFirst().queue.landsWholly(node);
  }

  private static int flying(List<SimVerb> posted, int node) {
    int count = 0;
    for (SimVerb verb : posted) {
      count += isFlying(verb, node) ? 1 : 0;
    }
    return count;
  }

  private static boolean isFlying(SimVerb verb, int node) {
    return verb.node.id() == node && verb.partsLeft > 0;
  }

  /** Lands the first {@code kept} verbs to a node, perhaps late, and discards the others. */
  private void keep(List<SimVerb> posted, int node, int kept) {
    int left = kept;
    long at = world.now();
    for (SimVerb verb : posted) {
      if (!isFlying(verb, node)) {
        continue;
      }
      boolean lands = (left-- > 0 || verb.begun) && !verb.lost;
      if (lands && !verb.begun && random.chance(0.5)) {
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
