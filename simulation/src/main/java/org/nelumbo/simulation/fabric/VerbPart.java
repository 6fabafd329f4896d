package org.nelumbo.simulation.fabric;

import org.nelumbo.simulation.world.SimEvent;

/** A part of a torn verb: neighbouring cache lines, which take effect at their own time. */
final class VerbPart extends SimEvent {
  private final SimVerb verb;
  private final int from;
  private final int to;

  VerbPart(SimVerb verb, int from, int to) {
    this.verb = verb;
    this.from = from;
    this.to = to;
  }

  @Override
  protected void fire() {
    verb.land(from, to);
  }
}
