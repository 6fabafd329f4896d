package org.nelumbo.simulation.fabric;

import java.util.Arrays;
import java.util.function.Supplier;
import org.nelumbo.simulation.world.FifoServer;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The times at which the verbs of one channel take effect.
 *
 * <p>A verb leaves when the coordinator has posted it. It travels half a round trip plus jitter,
 * and waits while the {@link Card} of its node is busy. It takes effect after the verbs posted
 * before it to the same node. Verbs of other channels land in between at their own times. A torn
 * verb takes effect in parts of neighbouring grains, in any order.
 *
 * <p>If the coordinator has a processor, posting a verb and polling its completion are work of that
 * processor, and the verb passes the card of the compute node, too. Since the processor may post it
 * late, it queues at each card only when it arrives there. Without a processor it queues at the
 * card of its memory node when it is posted.
 */
final class VerbTimes {
  private static final int CUTS_MAX = 3;

  private final SimWorld world;
  private final FabricModel model;
  private final SimRandom random;
  private final Supplier<FaultHooks> faults;
  private final ClientCards clientCards;
  private final long[] lastEffect;

  private final int[] cuts = new int[CUTS_MAX + 2];

  /** Time at which the last verb has been posted. */
  private long posted;

  private long done;

  /** Verbs that have not arrived at the cards of their nodes. */
  private int arriving;

  /** Time at which the last of them arrives. */
  private long lastArrival;

  /** Nodes to which verbs of this flush have been posted. */
  private final boolean[] rung;

  private FifoServer processor;

  /**
   * Creates the times of a channel that has posted nothing.
   *
   * @param random draws jitter and torn verbs; all channels of a fabric draw from one stream
   * @param faults hooks that are active when a verb is sent
   * @param clientCards cards of compute nodes
   */
  VerbTimes(
      SimWorld world,
      FabricModel model,
      SimRandom random,
      Supplier<FaultHooks> faults,
      ClientCards clientCards,
      int nodeCount) {
    this.world = world;
    this.model = model;
    this.random = random;
    this.faults = faults;
    this.clientCards = clientCards;
    this.lastEffect = new long[nodeCount];
    this.rung = new boolean[nodeCount];
  }

  /** Begins a flush. */
  void begin() {
    Arrays.fill(rung, false);
  }

  /** Waits until the coordinator has the replies to everything posted so far. */
  void await() {
    while (arriving > 0) {
      world.sleepUntil(Math.max(lastArrival, world.now() + 1));
    }
    if (processor == null) {
      world.sleepUntil(Math.max(done, posted) + model.completion());
    } else {
      world.sleepUntil(Math.max(done, posted));
      long now = world.now();
      world.sleepUntil(now + processor.work(now, model.cpu().poll()));
    }
  }

  /** Sends a verb: schedules its effect, or its arrival at the card of its node. */
  void send(SimVerb verb) {
    processor = verb.task == null ? null : verb.task.processor();
    if (processor == null) {
      long now = world.now();
      posted = Math.max(posted, now) + model.post();
      land(verb, posted + travel(verb, (long) serve(verb, now)));
    } else {
      verb.stage = SimVerb.Stage.LEAVES;
      verb.partsLeft = 1;
      arriving++;
      post(verb);
      lastArrival = Math.max(lastArrival, posted);
      world.schedule(verb, posted);
    }
  }

  private double serve(SimVerb verb, long arrival) {
    return verb.node.card().serve((double) arrival, verb.cardKind(), verb.length);
  }

  private void post(SimVerb verb) {
    CpuModel cpu = model.cpu();
    int node = verb.node.id();
    long work = rung[node] ? cpu.post() : cpu.post() + cpu.doorbell();
    rung[node] = true;
    long now = world.now();
    posted = now + processor.work(now, work);
  }

  /** Returns the time that a verb travels and then waits at its node, with injected delays. */
  private long travel(SimVerb verb, long service) {
    long travel = model.roundTrip() / 2 + jitter() + service;
    if (verb.task != null) {
      FaultHooks hooks = faults.get();
      travel += hooks.delay(verb.task, verb.node.id());
      verb.breaks = hooks.loses(verb.task, verb.node.id());
      verb.lost = verb.breaks;
    }
    return travel;
  }

  /** Handles the arrival of a verb at the card of its compute node, or of its memory node. */
  void moved(SimVerb verb) {
    long now = world.now();
    if (verb.stage == SimVerb.Stage.LEAVES) {
      verb.stage = SimVerb.Stage.ARRIVES;
      Card card = clientCards.of(verb.task.node());
      long sent = (long) card.send((double) now, verb.cardKind(), verb.length);
      long arrival = now + travel(verb, sent);
      lastArrival = Math.max(lastArrival, arrival);
      world.schedule(verb, arrival);
    } else {
      verb.stage = SimVerb.Stage.LANDS;
      arriving--;
      land(verb, now + (long) serve(verb, now));
    }
  }

  /** Schedules the effect of a verb, after those of earlier verbs to its node. */
  private void land(SimVerb verb, long earliest) {
    int node = verb.node.id();
    long effect = Math.max(earliest, lastEffect[node] + 1);
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
