package org.nelumbo.simulation.fabric;

import java.util.Arrays;
import java.util.function.Supplier;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The times at which the verbs of one channel take effect.
 *
 * <p>A verb leaves when the coordinator's CPU has posted it. It travels half a round trip plus
 * jitter, and waits while the RNIC of its node is busy. It takes effect after the verbs posted
 * before it to the same node. Verbs of other channels land in between at their own times. A torn
 * verb takes effect in parts of neighbouring grains, in any order.
 */
final class VerbTimes {
  private static final int CUTS_MAX = 3;

  private final SimWorld world;
  private final FabricModel model;
  private final SimRandom random;
  private final Supplier<FaultHooks> faults;
  private final long[] lastEffect;

  private final int[] cuts = new int[CUTS_MAX + 2];
  private long cpuFree;
  private long done;

  /**
   * Creates the times of a channel that has posted nothing.
   *
   * @param random draws jitter and torn verbs; all channels of a fabric draw from one stream
   * @param faults hooks that are active when a verb is sent
   */
  VerbTimes(
      SimWorld world,
      FabricModel model,
      SimRandom random,
      Supplier<FaultHooks> faults,
      int nodeCount) {
    this.world = world;
    this.model = model;
    this.random = random;
    this.faults = faults;
    this.lastEffect = new long[nodeCount];
  }

  /** Returns the time at which the coordinator has the replies to everything posted so far. */
  long done() {
    return Math.max(done, cpuFree) + model.completion();
  }

  /** Sends a verb: schedules its effect. */
  void send(SimVerb verb) {
    long now = world.now();
    cpuFree = Math.max(cpuFree, now) + model.post();
    int node = verb.node.id();
    double service =
        (verb.kind >= SimVerb.CAS ? model.atomic() : model.readWrite())
            + verb.length * model.byteTime();
    long travel =
        model.roundTrip() / 2 + jitter() + (long) (verb.node.enqueue(now, service) + service);
    if (verb.task != null) {
      travel += faults.get().delay(verb.task, node);
      verb.breaks = faults.get().loses(verb.task, node);
      verb.lost = verb.breaks;
    }
    long effect = Math.max(cpuFree + travel, lastEffect[node] + 1);
    lastEffect[node] = isTorn(verb) ? sendTorn(verb, effect) : sendWhole(verb, effect);
    done = Math.max(done, lastEffect[node] + model.roundTrip() / 2 + jitter());
  }

  private long jitter() {
    return model.jitter() == 0 ? 0 : random.nextLong(model.jitter() + 1);
  }

  private boolean isTorn(SimVerb verb) {
    return verb.kind <= SimVerb.DIGEST
        && (verb.offset & model.tornGrain() - 1) + verb.length > model.tornGrain()
        && random.chance(model.tornChance());
  }

  private long sendWhole(SimVerb verb, long effect) {
    verb.partsLeft = 1;
    world.schedule(verb, effect);
    return effect;
  }

  private long sendTorn(SimVerb verb, long effect) {
    int count = cut(verb);
    verb.partsLeft = count;
    long last = effect;
    for (int part = 0; part < count; part++) {
      long at = effect + random.nextLong(model.tornSpread() + 1);
      world.schedule(new VerbPart(verb, cuts[part], cuts[part + 1]), at);
      last = Math.max(last, at);
    }
    return last;
  }

  /**
   * Fills {@link #cuts} with the borders of parts, in bytes of the verb; returns the number of
   * parts.
   */
  private int cut(SimVerb verb) {
    int grain = model.tornGrain();
    int first = grain - ((int) verb.offset & grain - 1);
    int borders = (verb.length - first + grain - 1) / grain;
    int wanted = 1 + random.nextInt(Math.min(CUTS_MAX, borders));
    for (int i = 1; i <= wanted; i++) {
      cuts[i] = first + grain * random.nextInt(borders);
    }
    Arrays.sort(cuts, 1, wanted + 1);
    int count = 0;
    cuts[0] = 0;
    for (int i = 1; i <= wanted; i++) {
      if (cuts[i] > cuts[count]) {
        cuts[++count] = cuts[i];
      }
    }
    cuts[++count] = verb.length;
    return count;
  }
}
