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
 * pool are held, while verbs are posted and not flushed, while only some rows of a commit have
 * their timestamp. If an exception ends such a step, {@link #stop} stops the engine. From then on
 * the engine undoes and finishes nothing, no transaction begins, and waiting threads get an
 * exception ({@link StoppableEnvironment}). Half-done work stays locked, latched or INVISIBLE, so
 * that no transaction reads it, until the pool is attached again and recovery finishes or undoes
 * it.
 *
 * <p>Every step that writes to the pool is a {@link CriticalSection}.
 *
 * <p>Thread-safe.
 */
public final class FailStop {
  private static final Logger LOG = LoggerFactory.getLogger(FailStop.class);

  private final Consumer<Throwable> onStop;
  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * Null until the engine has stopped. If two threads stop it at a time, the failure of either may
   * be here.
   */
  private volatile Throwable cause;

  /**
   * Creates a switch for a running engine.
   *
   * @param onStop receives the first failure that stops the engine, in the thread that stops it
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
   * Throws if the engine has stopped.
   *
   * @throws NelumboException CONNECTION_LOST
   */
  public void check() {
    if (isStopped()) {
      throw failure();
    }
  }

  /**
   * Stops the engine because a step was left half done.
   *
   * @return the exception to be thrown. A lost pool is returned unchanged, since its fabric reports
   *     it to all users. Errors other than a lack of heap or stack, such as a page of the pool that
   *     cannot be loaded, are thrown unchanged: callers that handle them have more information
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

  /** Stops the engine, for callers that have nothing to throw. */
  public void note(Throwable why) {
    if (why instanceof FabricException) {
      return;
    }
    // first, since the rest needs memory and stack, which may be exhausted
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
        "the database has stopped, because a change of the pool was interrupted by "
            + why
            + ": close all connections to it and connect again; each unfinished transaction"
            + " is then completed or rolled back",
        why);
  }
}
