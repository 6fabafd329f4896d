package org.nelumbo.executor.context;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fail-stop switch of an engine. Some steps must not be left half done: while latches in the
 * pool are held, while verbs are posted and not flushed, while only some rows of a commit show
 * their timestamp. If an exception ends such a step, {@link #stop} says so, and nobody goes on:
 * nothing is undone or finished by this engine any more, no transaction begins, and whoever waits
 * is told ({@link StoppableEnvironment}). What is half done stays locked, latched or INVISIBLE, so
 * nobody reads it, until the pool is attached again and recovery finishes or undoes it.
 *
 * <p>Every step that writes to the pool is a {@link CriticalSection}.
 *
 * <p>Thread-safe.
 */
public final class FailStop {
  private static final Logger LOG = LoggerFactory.getLogger(FailStop.class);

  private final Consumer<Throwable> onStop;
  private final AtomicBoolean told = new AtomicBoolean();

  /** Null until the engine has stopped; of two that stop it at a time either may be here. */
  private volatile Throwable cause;

  /**
   * A switch that nobody has thrown.
   *
   * @param onStop told why when it is, by whoever does it first
   */
  public FailStop(Consumer<Throwable> onStop) {
    this.onStop = onStop;
  }

  public boolean isStopped() {
    return cause != null;
  }

  /** Returns the failure that has stopped the engine; null if it runs. */
  public Throwable cause() {
    return cause;
  }

  /**
   * Refuses to go on if the engine has stopped.
   *
   * @throws NelumboException CONNECTION_LOST
   */
  public void check() {
    if (isStopped()) {
      throw failure();
    }
  }

  /**
   * A step has ended half way: stops the engine.
   *
   * @return what is to be thrown. A lost pool is thrown as it is, since its fabric tells everybody;
   *     so are errors that are no lack of heap or stack, such as that of a page of the pool that
   *     cannot be had: those who wait for them know more about them
   */
  public RuntimeException stop(Throwable why) {
    if (why instanceof FabricException lost) {
      return lost;
    }
    note(why);
    if (why instanceof Error error && !isLackOfMemory(error)) {
      throw error;
    }
    return failure();
  }

  private static boolean isLackOfMemory(Error error) {
    return error instanceof OutOfMemoryError || error instanceof StackOverflowError;
  }

  /** Stops the engine; for whoever has nothing to throw. */
  public void note(Throwable why) {
    if (why instanceof FabricException) {
      return;
    }
    // before anything that takes memory or stack, which there may be none of
    if (cause == null) {
      cause = why;
    }
    if (!told.compareAndSet(false, true)) {
      return;
    }
    onStop.accept(why);
    if (!(why instanceof Error error) || isLackOfMemory(error)) {
      LOG.error("{}", failure().getMessage(), why);
    }
  }

  private NelumboException failure() {
    Throwable why = cause;
    return new NelumboException(
        ErrorCode.CONNECTION_LOST,
        "the database has stopped, since a change of the pool was ended half way by "
            + why
            + ": close all connections to it and connect again; what is half done is then finished"
            + " or undone, each transaction wholly",
        why);
  }
}
