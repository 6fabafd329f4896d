package org.nelumbo.executor.outcome;

import org.nelumbo.dm.env.Environment;

/**
 * Why a running statement should stop: somebody asked for it, or its deadline has passed. Set from
 * any thread, polled by the coordinator.
 */
public final class CancellationToken {
  private final Environment environment;
  private volatile boolean cancelled;
  private long deadlineNanos = Long.MAX_VALUE;

  public CancellationToken(Environment environment) {
    this.environment = environment;
  }

  /** Asks the running statement to stop; any thread. */
  public void cancel() {
    cancelled = true;
  }

  /** Called before a statement: forgets an earlier request, and sets the time limit (0: none). */
  public void arm(long timeoutNanos) {
    cancelled = false;
    deadlineNanos = timeoutNanos == 0 ? Long.MAX_VALUE : environment.nanoTime() + timeoutNanos;
  }

  /** Whether the statement should stop now. */
  public boolean isSet() {
    return cancelled
        || (deadlineNanos != Long.MAX_VALUE && environment.nanoTime() - deadlineNanos >= 0);
  }

  /** Whether it was a request rather than the deadline. */
  public boolean isCancelled() {
    return cancelled;
  }
}
