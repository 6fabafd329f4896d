package org.nelumbo.simulation.run;

import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/** One seed of a protocol, or of a database, under faults, in its own world. */
public abstract class FaultRun {
  protected final SimWorld world;
  protected final SimRandom random;
  private Totals totals;

  /**
   * Creates a run.
   *
   * @param stream name of its random numbers
   * @param nanos virtual time after which it has failed
   * @param steps number of steps after which it has failed
   */
  protected FaultRun(SimWorld world, Totals totals, String stream, long nanos, long steps) {
    world.setLimits(nanos, steps);
    this.world = world;
    this.totals = totals;
    this.random = world.random(stream);
  }

  /**
   * Runs the seed; throws an {@link IllegalStateException} or a {@link
   * org.nelumbo.simulation.world.SimulationFailure} if a check fails.
   */
  protected abstract void run();

  /** Adds final counts and releases memory; called last, also after a failure. */
  protected void end() {}

  /**
   * Ends the run; tasks that are unwound when the world is closed do not change the totals any
   * more.
   */
  final void finish() {
    end();
    totals = new Totals();
  }

  /** Returns the text that follows the message of a failure. */
  protected String describe() {
    return "";
  }

  protected final void count(String name) {
    totals.add(name, 1);
  }

  protected final void count(String name, long count) {
    totals.add(name, count);
  }

  /** Raises a total that is a maximum. */
  protected final void countMax(String name, long value) {
    totals.max(name, value);
  }

  /** Sleeps for a random time of 1 to {@code limit} nanoseconds. */
  protected final void pause(long limit) {
    world.sleepUntil(world.now() + 1 + random.nextLong(limit));
  }

  /** Schedules an action after a random time of 1 to {@code limit} nanoseconds. */
  protected final void later(long limit, Runnable action) {
    world.at(world.now() + 1 + random.nextLong(limit), action);
  }

  /** Stops all tasks of a node. */
  protected final void stop(SimNode node) {
    world.tasksOf(node).forEach(world::stop);
  }
}
