package org.nelumbo.executor.commit;

import java.util.function.LongSupplier;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.context.CoordinatorContext;

/**
 * A log on a disk of this process. Entries are in the order of their commit timestamps, since the
 * log draws the timestamp when it places an entry.
 */
final class LocalCommitLog extends RedoCommitLog {
  private final RedoLog log;
  private final LongSupplier draw;

  /** True if the transaction is written to the log; false while the database is loaded. */
  private boolean isRecorded;

  LocalCommitLog(CoordinatorContext context, RedoLog log) {
    super(context, log.durability());
    this.log = log;
    this.draw = () -> context.clock().next(context.channel());
  }

  @Override
  void begin() {
    isRecorded = false;
  }

  @Override
  void record(WriteSet writes, long transaction) {
    isRecorded = log.isRecording();
    if (isRecorded) {
      super.record(writes, transaction);
    }
  }

  @Override
  void append(long transaction) {
    log.part(entry, durability());
  }

  @Override
  void forget(long transaction) {
    log.forget(entry);
  }

  @Override
  long drawTimestamp(Channel channel, int node) {
    if (!isRecorded) {
      return super.drawTimestamp(channel, node);
    }
    channel.flush();
    return log.commit(entry, durability(), draw);
  }

  @Override
  public boolean isAhead() {
    return log.isAhead();
  }

  @Override
  public void awaitForced(boolean isRead) {
    if (durability() != Durability.COMMIT) {
      return;
    }
    try {
      if (isRecorded) {
        log.awaitForced(entry.end());
      } else if (isRead && log.isRecording()) {
        log.awaitForced(log.end());
      }
    } catch (RedoFailedException e) {
      throw new NelumboException(
          ErrorCode.OUTCOME_UNKNOWN,
          e.getMessage()
              + "; the outcome of the transaction is known when the database is opened again",
          e);
    }
  }
}
