package org.nelumbo.executor.outcome;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * A token that stops a running statement: on request, after its deadline, when its thread is
 * interrupted, or when other compute nodes have waited too long for the end of its transaction. Any
 * thread may set it; the coordinator polls it.
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

  /** Number of the last armed statement; its complement once the statement has to stop. */
  private volatile long statement;

  private long armedCount;
  private long deadlineNanos = Long.MAX_VALUE;

  /** True while a user's statement runs, whose thread may be interrupted. */
  private boolean armed;

  /** Token of the statement that this token's coordinator works for. */
  private volatile CancellationToken followed;

  public CancellationToken(Environment environment) {
    this(environment, () -> {}, () -> false);
  }

  /**
   * Creates a token for statements that also stop when the engine has stopped or other compute
   * nodes wait.
   *
   * @param checkAlive throws if the engine cannot continue; its exception is then the error of the
   *     statement, instead of a cancellation
   * @param isAwaitedTooLong returns true if other compute nodes cannot wait for the end of the
   *     transaction any longer
   */
  public CancellationToken(
      Environment environment, Runnable checkAlive, BooleanSupplier isAwaitedTooLong) {
    this.environment = environment;
    this.checkAlive = checkAlive;
    this.isAwaitedTooLong = isAwaitedTooLong;
  }

  /** Requests that the running statement stops. Any thread may call this. */
  public void cancel() {
    cancel(statement);
  }

  /** Returns the number of the statement that is armed now, for {@link #cancel(long)}. */
  public long statement() {
    return statement;
  }

  /**
   * Requests that a statement stops, unless another one has been armed since. Any thread may call
   * this.
   */
  public void cancel(long number) {
    if (number >= 0) {
      STATEMENT.compareAndSet(this, number, ~number);
    }
  }

  /**
   * Clears an earlier request and sets the time limit; called before each statement.
   *
   * @param timeoutNanos time limit in nanoseconds; 0 for none
   */
  public void arm(long timeoutNanos) {
    armed = true;
    deadlineNanos = timeoutNanos == 0 ? Long.MAX_VALUE : environment.nanoTime() + timeoutNanos;
    statement = ++armedCount;
  }

  /** Also stops the statement when another token is set; null ends that. */
  public void follow(CancellationToken other) {
    followed = other;
  }

  /** Returns true if the statement has to stop. */
  public boolean isSet() {
    return isCancelled() || isOverdue();
  }

  /**
   * Returns true if the statement stops for the user: by a request, its time limit, or an interrupt
   * of its thread.
   */
  public boolean isCancelled() {
    return statement < 0
        || (deadlineNanos != Long.MAX_VALUE && environment.nanoTime() - deadlineNanos >= 0)
        || (armed && Thread.currentThread().isInterrupted())
        || (followed != null && followed.isCancelled());
  }

  private boolean isOverdue() {
    return isAwaitedTooLong.getAsBoolean() || (followed != null && followed.isOverdue());
  }

  /** Returns the error of a statement that stops because of this token. */
  public NelumboException failure() {
    CancellationToken other = followed;
    if (other != null && other.isSet()) {
      return other.failure();
    }
    checkAlive.run();
    if (!isCancelled() && isOverdue()) {
      return new NelumboException(
          ErrorCode.SERIALIZATION_FAILURE,
          "the statement was stopped: a compute node has failed or hands locks over, and"
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
