package org.nelumbo.executor.timestamp;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.redo.RedoLog;

/**
 * The clock of a database whose commits are logged; it determines up to which timestamp commits are
 * durable. A commit is visible before it is durable. So a read-only transaction reads as of that
 * timestamp: it sees all acknowledged commits, and none that may be lost. If commits are
 * acknowledged before they are durable, it sees all commits.
 *
 * <p>A commit timestamp is at least the physical time at which it is drawn, even if the ticking
 * thread does not run: a restore to a point in time relies on it.
 */
public final class DurableClock extends HybridClock {
  private final RedoLog redo;

  public DurableClock(Environment environment, RedoLog redo) {
    super(environment);
    this.redo = redo;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads the clock before the log: a thread that has drawn a timestamp by then already has its
   * position in the log.
   */
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
  public void readSettled(Channel channel, Snapshot into) {
    into.set(settled());
  }
}
