package org.nelumbo.executor.commit;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.timestamp.Clock;

/**
 * The durable log of one coordinator's commits, which also determines when commits are
 * acknowledged. There are three kinds: none, a log on a disk of this process ({@link
 * LocalCommitLog}), and logs that the memory nodes keep ({@link NodeCommitLog}). {@link CommitLogs}
 * creates them. Confined to one thread at a time.
 *
 * <p>{@link LotusCommitter} calls {@link #begin}, {@link #record}, {@link #drawTimestamp} and
 * {@link #beforeVisible}, in this order.
 */
public abstract class CommitLog {
  private final Clock clock;
  private final int slot;

  private Durability durability;

  CommitLog(CoordinatorContext context, Durability durability) {
    this.clock = context.clock();
    this.slot = context.slot();
    this.durability = durability;
  }

  /**
   * Returns the durability level, that is, when a commit is acknowledged; NONE if there is no log.
   */
  public final Durability durability() {
    return durability;
  }

  /** Sets the durability level, from the commit in progress on. There must be a log. */
  public final void setDurability(Durability value) {
    durability = value;
  }

  /** Begins a transaction. */
  void begin() {}

  /**
   * Encodes the rows that the transaction writes. Long transactions are logged in several parts.
   */
  abstract void record(WriteSet writes, long transaction);

  /**
   * Flushes the posted verbs and returns the commit timestamp, which is drawn afterwards.
   *
   * @param node memory node of all cells, or a negative number if there are several
   */
  long drawTimestamp(Channel channel, int node) {
    int posted = clock.postNext(channel, node);
    channel.flush();
    return posted < 0 ? clock.next(channel, slot) : clock.drawn(channel, posted);
  }

  /** Completes all log writes that must precede the timestamps of the cells. */
  void beforeVisible(long transaction, long timestamp) {}

  /** Returns true if commits that are visible to new readers may not be durable yet. */
  public boolean isAhead() {
    return false;
  }

  /**
   * Waits until everything that the transaction has written, or may have read, is on the disk, if
   * the durability level requires it. The locks have been released. A transaction that reads a
   * write of this one waits, too, since its location in the log is behind.
   *
   * @param isRead true if the transaction has read commits that were not durable when it began
   * @throws org.nelumbo.error.NelumboException OUTCOME_UNKNOWN if the log can no longer be written
   */
  public void awaitForced(boolean isRead) {}
}
