package org.nelumbo.simulation.cluster;

import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** A transaction that cannot go on, for a reason that is nobody's fault; it is to be aborted. */
public final class TransactionFailed extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** Another transaction stood in the way, or the snapshot was too old. */
    CONFLICT,
    /** The pool is full. */
    OUT_OF_MEMORY,
    /** The pool was lost; the transaction has not happened. */
    LOST,
    /** The pool was lost while the transaction was becoming visible: it may have happened. */
    UNKNOWN,
    /** Something was thrown at a line of the engine; the transaction has not happened. */
    BROKEN,
    /** Something was thrown while the transaction was being committed: it may have happened. */
    BROKEN_COMMIT
  }

  private final Reason reason;

  TransactionFailed(Reason reason) {
    super(reason.name(), null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  /**
   * Whether something that was thrown says that the database is of no use any more: it is lost, or
   * a client that met that before has closed it already.
   */
  public static boolean isLoss(Throwable thrown) {
    return thrown instanceof FabricException
        || thrown instanceof NelumboException known
            && (known.code() == ErrorCode.CONNECTION_LOST || known.code() == ErrorCode.SHUT_DOWN);
  }

  /** Whether the transaction may be there all the same. */
  public boolean mayHaveHappened() {
    return reason == Reason.UNKNOWN || reason == Reason.BROKEN_COMMIT;
  }

  /** Whether the session is of no use to the client any more. */
  public boolean isBroken() {
    return reason == Reason.BROKEN || reason == Reason.BROKEN_COMMIT;
  }

  /** Whether the database is of no use to the client any more. */
  public boolean isLost() {
    return reason == Reason.LOST || reason == Reason.UNKNOWN;
  }
}
