package org.nelumbo.executor.commit;

import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.RedoSender;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;

/**
 * Logs that the memory nodes keep. They have the rows before a cell has its timestamp, and decide
 * whether a transaction is committed if its coordinator fails in between.
 */
final class NodeCommitLog extends RedoCommitLog {
  private final RedoSender sender;
  private final CriticalSection critical;

  NodeCommitLog(CoordinatorContext context, RedoSender sender) {
    super(context, Durability.COMMIT);
    this.sender = sender;
    this.critical = context.critical();
  }

  @Override
  void record(WriteSet writes, long transaction) {
    sender.begin();
    super.record(writes, transaction);
  }

  @Override
  void append(long transaction) {
    try {
      critical.begin();
      sender.part(entry, transaction);
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  @Override
  void forget(long transaction) {
    sender.forget(entry, transaction);
  }

  @Override
  void beforeVisible(long transaction, long timestamp) {
    sender.commit(entry, transaction, timestamp, durability());
  }
}
