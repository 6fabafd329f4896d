package org.nelumbo.dm.litmus;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/**
 * Runs actors one at a time, on one thread, and switches between them at random, from a seed,
 * wherever the code under test calls {@link #step}: usually before each access to shared memory,
 * from a test version of whatever makes these accesses. The same seed gives the same run. Finds in
 * milliseconds what threads left to themselves hit once in a million runs, as long as the bug is
 * one of order and not of the processor's memory model.
 *
 * <p>Actors are virtual threads whose carrier is the thread that calls {@link #run}; they may use
 * locks of java.util.concurrent, but no monitors and no waiting with a time limit. Needs {@code
 * --add-opens java.base/java.lang=ALL-UNNAMED}.
 */
public final class Interleaving {
  private static final Constructor<?> BUILDER = builder();

  private static final int STEADY_STEPS = 12;

  private final SplittableRandom random;
  private final List<Runnable> ready = new ArrayList<>();
  private final List<Thread> actors = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private final Thread.Builder.OfVirtual virtual;
  private final boolean steady;
  private Runnable favourite;

  public Interleaving(long seed) {
    random = new SplittableRandom(seed);
    steady = (seed & 1) == 0;
    try {
      Executor scheduler = ready::add;
      virtual = (Thread.Builder.OfVirtual) BUILDER.newInstance(scheduler);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Constructor<?> builder() {
    try {
      Class<?> type = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
      Constructor<?> constructor = type.getDeclaredConstructor(Executor.class);
      constructor.setAccessible(true);
      return constructor;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  public Interleaving actor(Runnable body) {
    actors.add(
        virtual.unstarted(
            () -> {
              try {
                body.run();
              } catch (Throwable e) {
                failures.add(e);
              }
            }));
    return this;
  }

  /** A point where another actor may go on; does nothing outside of actors. */
  public void step() {
    if (Thread.currentThread().isVirtual()) {
      Thread.yield();
    }
  }

  /**
   * Which of those that are ready goes on. With odd seeds anyone; with even ones a favourite, which
   * changes now and then, goes on while it can, so that others are left standing for a long time in
   * the middle of what they do.
   */
  private int next() {
    if (!steady || random.nextInt(STEADY_STEPS) == 0) {
      favourite = ready.get(random.nextInt(ready.size()));
    }
    int at = ready.indexOf(favourite);
    return at >= 0 ? at : random.nextInt(ready.size());
  }

  /**
   * Runs all actors to their ends.
   *
   * @throws AssertionError if one of them threw, or if some wait for each other
   */
  public void run() {
    actors.forEach(Thread::start);
    while (!ready.isEmpty()) {
      ready.remove(next()).run();
    }
    for (Throwable failure : failures) {
      throw new AssertionError("an actor failed: " + failure.getMessage(), failure);
    }
    for (Thread actor : actors) {
      if (actor.isAlive()) {
        throw new AssertionError("actors wait for each other");
      }
    }
  }
}
