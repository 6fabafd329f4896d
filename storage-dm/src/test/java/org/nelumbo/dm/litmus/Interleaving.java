package org.nelumbo.dm.litmus;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/**
 * Runs actors one at a time, on one thread, and switches between them at random, from a seed, at
 * each call of {@link #step}. Test versions of the code that accesses shared memory usually call it
 * before each access. The same seed gives the same run. Such a run finds within milliseconds errors
 * of order that free-running threads hit once in a million runs. It does not find errors that
 * depend on the memory model of the processor.
 *
 * <p>Actors are virtual threads whose carrier is the thread that calls {@link #run}. They may use
 * locks of java.util.concurrent, but no monitors and no timed waits. Needs {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED}.
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

  /** Lets the scheduler switch to another actor; does nothing outside of actors. */
  public void step() {
    if (Thread.currentThread().isVirtual()) {
      Thread.yield();
    }
  }

  /**
   * Chooses the next actor among those that are ready. With an odd seed the choice is uniform. With
   * an even seed a favourite runs as long as it is ready, and changes now and then, so that the
   * other actors pause for a long time in the middle of an operation.
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
   * @throws AssertionError if an actor threw an exception, or if actors are deadlocked
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
