package org.nelumbo.executor.timestamp;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.redo.RedoLog;

/**
 * Clock of a database whose commits are logged: it knows up to which timestamp they are on the
 * disk. A commit is visible before it is there. So who only reads does so as of that timestamp: it
 * sees all that was acknowledged, and nothing that may be lost. If commits are acknowledged earlier
 * than that, it sees all there is.
 *
 * <p>A commit timestamp is at least the physical time at which it is drawn, also if the thread that
 * ticks does not run: a restore to a moment goes by it.
 */
public final class DurableClock extends HybridClock {
  private final RedoLog redo;

  public DurableClock(Environment environment, RedoLog redo) {
    super(environment);
    this.redo = redo;
  }

  /** The clock is read before the log: who has drawn a timestamp by then has a place in the log. */
  @Override
  public long settled() {
    long now = now();
    return redo.isAhead() || redo.isSettled() ? now : redo.moment();
  }

  @Override
  public long next(Channel channel) {
    tick();
    return next();
  }

  @Override
  public long readSettled(Channel channel) {
    return settled();
  }
}
