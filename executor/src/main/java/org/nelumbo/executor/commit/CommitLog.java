package org.nelumbo.executor.commit;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.timestamp.Clock;

/**
 * The durable log that the commits of one coordinator pass through, and the moment at which they
 * are acknowledged. There are three: none, a log on a disk of this process ({@link LocalCommitLog})
 * and logs that the memory nodes keep ({@link NodeCommitLog}); {@link CommitLogs} makes them. One
 * thread at a time.
 *
 * <p>{@link LotusCommitter} calls {@link #begin}, {@link #record}, {@link #drawTimestamp} and
 * {@link #beforeVisible}, in this order.
 */
public abstract class CommitLog {
  private final Clock clock;

  private Durability durability;

  CommitLog(CoordinatorContext context, Durability durability) {
    this.clock = context.clock();
    this.durability = durability;
  }

  /** Returns when commits are acknowledged; NONE if there is no log. */
  public final Durability durability() {
    return durability;
  }

  /** Sets when commits are acknowledged, from the one in progress on. There must be a log. */
  public final void setDurability(Durability value) {
    durability = value;
  }

  /** Begins a transaction. */
  void begin() {}

  /**
   * Encodes the rows that the transaction writes; long transactions are logged in several parts.
   */
  abstract void record(WriteSet writes, long transaction);

  /**
   * Flushes what is posted and returns the commit timestamp, which is drawn afterwards.
   *
   * @param node memory node of all cells, or a negative number if there are several
   */
  long drawTimestamp(Channel channel, int node) {
    int drawn = clock.postNext(channel, node);
    channel.flush();
    return clock.drawn(channel, drawn);
  }

  /** Completes what must be in the log before a cell has its timestamp. */
  void beforeVisible(long transaction, long timestamp) {}

  /** Returns true if commits that new readers see may not be durable yet. */
  public boolean isAhead() {
    return false;
  }

  /**
   * Waits until everything that the transaction has written, or may have read, is on the disk,
   * provided that commits are acknowledged then. The locks have been released: a transaction that
   * reads what this one has written waits, too, as its place in the log is behind.
   *
   * @param isRead true if it has read more than was on the disk when it began
   * @throws org.nelumbo.error.NelumboException OUTCOME_UNKNOWN if the log cannot be written any
   *     more
   */
  public void awaitForced(boolean isRead) {}
}
