package org.nelumbo.executor.commit;

import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.RedoSender;
import org.nelumbo.executor.context.CoordinatorContext;

/** Creates the logs of coordinators. */
public final class CommitLogs {
  private CommitLogs() {}

  /** Returns the log of a coordinator, which is that of its engine, if the engine has one. */
  public static CommitLog of(CoordinatorContext context) {
    if (context.poolLog() != null) {
      return new NodeCommitLog(context, new RedoSender(context.poolLog()));
    }
    return context.redo() == null ? new None(context) : new LocalCommitLog(context, context.redo());
  }

  /** No log: a commit is as durable as the pool. */
  private static final class None extends CommitLog {
    private None(CoordinatorContext context) {
      super(context, Durability.NONE);
    }

    @Override
    void record(WriteSet writes, long transaction) {}
  }
}
