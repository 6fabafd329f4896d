package org.nelumbo.simulation.fabric;

import org.nelumbo.simulation.world.FifoServer;

/**
 * The network card of a node: an engine for messages, a unit for atomics, and a link with two
 * directions. Each of them serves one verb after the other.
 *
 * <p>A serial card moves the bytes of a verb after its engine has handled it, and then begins the
 * next verb. The parts of an overlapping card work at the same time, so the card is as fast as the
 * part with the most work. Atomics occupy the engine, too, unless the model has a unit of their
 * own.
 */
final class Card {
  private final FabricModel model;
  private final FifoServer engine = new FifoServer();
  private final FifoServer atomics = new FifoServer();
  private final FifoServer in = new FifoServer();
  private final FifoServer out = new FifoServer();

  Card(FabricModel model) {
    this.model = model;
  }

  /**
   * Serves a verb as the card of its memory node.
   *
   * @param arrival virtual time at which the verb arrives
   * @return the time from its arrival until it takes effect, nanoseconds
   */
  double serve(double arrival, VerbKind kind, int length) {
    double handling = kind.isAtomic() ? model.atomic() : model.readWrite();
    double moving = length * model.byteTime();
    if (!model.overlaps()) {
      return engine.serve(arrival, handling + moving);
    }
    double handled;
    if (kind.isAtomic() && model.atomicsApart()) {
      handled =
          Math.max(engine.serve(arrival, model.readWrite()), atomics.serve(arrival, handling));
    } else {
      handled = engine.serve(arrival, handling);
    }
    double moved = (kind == VerbKind.WRITE ? in : out).serve(arrival, moving);
    return Math.max(handled, moved);
  }

  /**
   * Sends a verb as the card of its compute node, and reserves the link for its response.
   *
   * @param arrival virtual time at which the processor has posted it
   * @return the time until it leaves, nanoseconds
   */
  double send(double arrival, VerbKind kind, int length) {
    double handled = engine.serve(arrival, model.readWrite());
    double moved = (kind == VerbKind.WRITE ? out : in).serve(arrival, length * model.byteTime());
    return Math.max(handled, moved);
  }

  /** Returns the time for which the busiest part of the card has worked, nanoseconds. */
  double busyNanos() {
    return Math.max(
        Math.max(engine.busyNanos(), atomics.busyNanos()),
        Math.max(in.busyNanos(), out.busyNanos()));
  }
}
