package org.nelumbo.executor.outcome;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;

/**
 * Why a running statement should stop: somebody asked for it, its deadline has passed, or its
 * thread was interrupted. Set from any thread, polled by the coordinator.
 */
public final class CancellationToken {
  private final Environment environment;
  private final Runnable checkAlive;
  private volatile boolean cancelled;
  private long deadlineNanos = Long.MAX_VALUE;

  /** Whether a statement of a user runs, whose thread may be interrupted. */
  private boolean armed;

  /** The token of the statement for which this one's coordinator works; null for none. */
  private volatile CancellationToken followed;

  public CancellationToken(Environment environment) {
    this(environment, () -> {});
  }

  /**
   * A token of a statement that somebody may also stop because there is nothing left to work with.
   *
   * @param checkAlive throws if that is so: then this is the error of the statement, not that it
   *     was cancelled
   */
  public CancellationToken(Environment environment, Runnable checkAlive) {
    this.environment = environment;
    this.checkAlive = checkAlive;
  }

  /** Asks the running statement to stop; any thread. */
  public void cancel() {
    cancelled = true;
  }

  /** Called before a statement: forgets an earlier request, and sets the time limit (0: none). */
  public void arm(long timeoutNanos) {
    cancelled = false;
    armed = true;
    deadlineNanos = timeoutNanos == 0 ? Long.MAX_VALUE : environment.nanoTime() + timeoutNanos;
  }

  /** Stops from now on when another statement is to stop as well; null ends that. */
  public void follow(CancellationToken other) {
    followed = other;
  }

  /** Whether the statement should stop now. */
  public boolean isSet() {
    return cancelled
        || (deadlineNanos != Long.MAX_VALUE && environment.nanoTime() - deadlineNanos >= 0)
        || (armed && Thread.currentThread().isInterrupted())
        || (followed != null && followed.isSet());
  }

  /** The error of a statement that stops because of this token. */
  public NelumboException failure() {
    CancellationToken other = followed;
    if (other != null && other.isSet()) {
      return other.failure();
    }
    checkAlive.run();
    return new NelumboException(ErrorCode.CANCELLED, reason());
  }

  private String reason() {
    if (cancelled) {
      return "the statement was cancelled";
    }
    return armed && Thread.currentThread().isInterrupted()
        ? "the thread was interrupted while the statement ran"
        : "the statement ran longer than its query timeout";
  }
}
