package org.nelumbo.executor.context;

/**
 * The steps of one coordinator that must not be left half done, see {@link FailStop}.
 *
 * <p>A count detects a step that was ended by an exception even if a second exception has ended the
 * handler of the first, as on a full stack. The next check, at the latest the one at the end of the
 * transaction, finds the count and stops the engine. Used by one thread at a time.
 *
 * <pre>
 * try {
 *   critical.begin();
 *   ... post, flush ...
 *   critical.end();
 * } catch (RuntimeException | Error e) {
 *   throw critical.failed(e);
 * }
 * </pre>
 */
public final class CriticalSection {
  private final FailStop failStop;

  /** Created in advance, since there may be no memory for it when it is needed. */
  private final IllegalStateException unfinished =
      new IllegalStateException("an exception whose handler was ended by another exception");

  /** Nested steps count. */
  private int depth;

  public CriticalSection(FailStop failStop) {
    this.failStop = failStop;
  }

  /** Begins a step. {@link #end} follows when the step returns, with any outcome. */
  public void begin() {
    depth++;
  }

  public void end() {
    depth--;
  }

  /**
   * Stops the engine because an exception has ended a step.
   *
   * @return the exception to be thrown, see {@link FailStop#stop}
   */
  public RuntimeException failed(Throwable why) {
    RuntimeException thrown = failStop.stop(why);
    depth--; // not reached if stop() throws as well
    return thrown;
  }

  /** Stops the engine if a step was begun and never ended. Called when no step is open. */
  public void check() {
    if (depth != 0) {
      failStop.note(unfinished);
    }
  }
}
