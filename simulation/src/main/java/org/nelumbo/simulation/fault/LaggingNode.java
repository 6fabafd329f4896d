package org.nelumbo.simulation.fault;

import org.nelumbo.simulation.fabric.FaultHooks;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The link to one memory node, with alternating periods of low and high latency. In each period
 * some share of the verbs is late by up to some time. Both are drawn anew, independently of other
 * nodes, so one copy is written long after another. In addition, the receiver of replies from the
 * node sometimes continues late, like a thread that has lost its core.
 */
public final class LaggingNode implements FaultHooks {
  private static final long MOOD_NANOS = 300_000;
  private static final double[] SHARES = {0, 0.02, 0.05, 0.1, 0.2};
  private static final int SHORTEST_SHIFT = 14;
  private static final int LONGEST_SHIFT = 17;
  private static final double PREEMPTED = 0.003;

  private final SimWorld world;
  private final SimRandom random;
  private long moodEnd;
  private double share;
  private long longest;
  private boolean isSteady;
  private FaultHooks next = FaultHooks.NONE;

  /** Creates a node that draws its periods from a stream. */
  public LaggingNode(SimWorld world, SimRandom random) {
    this.world = world;
    this.random = random;
  }

  /** Ends all delays. */
  public void makeSteady() {
    isSteady = true;
  }

  /** Sets additional faults. */
  public void setNext(FaultHooks hooks) {
    next = hooks;
  }

  private long someTime() {
    int shift = SHORTEST_SHIFT + random.nextInt(LONGEST_SHIFT - SHORTEST_SHIFT + 1);
    return 1L << shift;
  }

  @Override
  public long delay(SimTask task, int node) {
    if (isSteady) {
      return next.delay(task, node);
    }
    if (world.now() >= moodEnd) {
      moodEnd = world.now() + 1 + random.nextLong(MOOD_NANOS);
      share = SHARES[random.nextInt(SHARES.length)];
      longest = someTime();
    }
    long lag = random.chance(share) ? random.nextLong(longest) : 0;
    return lag + next.delay(task, node);
  }

  @Override
  public boolean loses(SimTask task, int node) {
    return next.loses(task, node);
  }

  @Override
  public void leaves(SimTask task, String fabric, String verb, long address, int length) {
    next.leaves(task, fabric, verb, address, length);
  }

  @Override
  public void posting(SimTask task) {
    next.posting(task);
  }

  @Override
  public void flushing(SimTask task) {
    next.flushing(task);
  }

  @Override
  public void landed(SimTask task) {
    next.landed(task);
  }

  @Override
  public void flushed(SimTask task) {
    if (!isSteady && random.chance(PREEMPTED)) {
      world.sleepUntil(world.now() + random.nextLong(someTime()));
    }
    next.flushed(task);
  }
}
