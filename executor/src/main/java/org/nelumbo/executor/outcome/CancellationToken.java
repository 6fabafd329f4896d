package org.nelumbo.executor.outcome;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * Why a running statement should stop: somebody asked for it, its deadline has passed, its thread
 * was interrupted, or other compute nodes have waited too long for the end of its transaction. Set
 * from any thread, polled by the coordinator.
 */
public final class CancellationToken {
  private static final VarHandle STATEMENT;

  static {
    try {
      STATEMENT =
          MethodHandles.lookup().findVarHandle(CancellationToken.class, "statement", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Environment environment;
  private final Runnable checkAlive;
  private final BooleanSupplier isAwaitedTooLong;

  /** Number of the statement that was armed last; its complement once it is to stop. */
  private volatile long statement;

  private long armedCount;
  private long deadlineNanos = Long.MAX_VALUE;

  /** Whether a statement of a user runs, whose thread may be interrupted. */
  private boolean armed;

  /** The token of the statement for which this one's coordinator works; null for none. */
  private volatile CancellationToken followed;

  public CancellationToken(Environment environment) {
    this(environment, () -> {}, () -> false);
  }

  /**
   * A token of a statement that somebody may also stop because there is nothing left to work with.
   *
   * @param checkAlive throws if that is so: then this is the error of the statement, not that it
   *     was cancelled
   * @param isAwaitedTooLong returns true if other compute nodes cannot wait for the end of the
   *     transaction any longer
   */
  public CancellationToken(
      Environment environment, Runnable checkAlive, BooleanSupplier isAwaitedTooLong) {
    this.environment = environment;
    this.checkAlive = checkAlive;
    this.isAwaitedTooLong = isAwaitedTooLong;
  }

  /** Asks the running statement to stop; any thread. */
  public void cancel() {
    cancel(statement);
  }

  /** Returns the number of the statement that is armed now, for {@link #cancel(long)}. */
  public long statement() {
    return statement;
  }

  /** Asks a statement to stop, unless another one was armed meanwhile; any thread. */
  public void cancel(long number) {
    if (number >= 0) {
      STATEMENT.compareAndSet(this, number, ~number);
    }
  }

  /** Called before a statement: forgets an earlier request, and sets the time limit (0: none). */
  public void arm(long timeoutNanos) {
    armed = true;
    deadlineNanos = timeoutNanos == 0 ? Long.MAX_VALUE : environment.nanoTime() + timeoutNanos;
    statement = ++armedCount;
  }

  /** Stops from now on when another statement is to stop as well; null ends that. */
  public void follow(CancellationToken other) {
    followed = other;
  }

  /** Whether the statement should stop now. */
  public boolean isSet() {
    return isCancelled() || isOverdue();
  }

  /** Returns true if the user's side stops the statement: a request, its time or its thread. */
  public boolean isCancelled() {
    return statement < 0
        || (deadlineNanos != Long.MAX_VALUE && environment.nanoTime() - deadlineNanos >= 0)
        || (armed && Thread.currentThread().isInterrupted())
        || (followed != null && followed.isCancelled());
  }

  private boolean isOverdue() {
    return isAwaitedTooLong.getAsBoolean() || (followed != null && followed.isOverdue());
  }

  /** The error of a statement that stops because of this token. */
  public NelumboException failure() {
    CancellationToken other = followed;
    if (other != null && other.isSet()) {
      return other.failure();
    }
    checkAlive.run();
    if (!isCancelled() && isOverdue()) {
      return new NelumboException(
          ErrorCode.SERIALIZATION_FAILURE,
          "the statement was stopped: a compute node has failed or gives locks to another one, and"
              + " the others wait for the end of this transaction, which holds such locks; roll"
              + " back and retry the transaction");
    }
    return new NelumboException(ErrorCode.CANCELLED, reason());
  }

  private String reason() {
    if (statement < 0) {
      return "the statement was cancelled";
    }
    return armed && Thread.currentThread().isInterrupted()
        ? "the thread was interrupted while the statement ran"
        : "the statement ran longer than its query timeout";
  }
}
