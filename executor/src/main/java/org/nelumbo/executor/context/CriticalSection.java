package org.nelumbo.executor.context;

/**
 * The steps of one coordinator that must not be left half done, see {@link FailStop}. A plain count
 * tells of one that was ended by an exception even if a second exception has kept the handler of
 * the first from saying so, as on a stack that is full: then whoever comes by next, at the latest
 * the end of the transaction, finds the count and stops the engine. One thread at a time.
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

  /** Made in advance: there may be no memory for it when it is needed. */
  private final IllegalStateException unfinished =
      new IllegalStateException("an exception whose handler was ended by another one");

  /** One within another counts, too. */
  private int depth;

  public CriticalSection(FailStop failStop) {
    this.failStop = failStop;
  }

  /** A step begins; {@link #end} follows when it has returned, whatever its outcome. */
  public void begin() {
    depth++;
  }

  public void end() {
    depth--;
  }

  /**
   * A step was ended by an exception: stops the engine.
   *
   * @return what is to be thrown, see {@link FailStop#stop}
   */
  public RuntimeException failed(Throwable why) {
    RuntimeException thrown = failStop.stop(why);
    depth--; // not reached if something is thrown here as well
    return thrown;
  }

  /** Stops the engine if a step was begun and never ended. Called where none is under way. */
  public void check() {
    if (depth != 0) {
      failStop.note(unfinished);
    }
  }
}
