package org.nelumbo.simulation.cluster;

import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** The failure of a transaction that is not a defect; the caller aborts the transaction. */
public final class TransactionFailed extends Exception {
  private static final long serialVersionUID = 1L;

  /** Reason of the failure. */
  public enum Reason {
    /** A conflict with another transaction, or a snapshot that was too old. */
    CONFLICT,
    /** The pool is full. */
    OUT_OF_MEMORY,
    /** The pool was lost; the transaction has not happened. */
    LOST,
    /** The pool was lost while the transaction was becoming visible: it may have happened. */
    UNKNOWN,
    /** A throwable was injected at a line of the engine; the transaction has not happened. */
    BROKEN,
    /** A throwable was injected during the commit: the transaction may have happened. */
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
   * Returns true if a throwable means that the database is unusable: it is lost, or closed by a
   * client that detected the loss before.
   */
  public static boolean isLoss(Throwable thrown) {
    return thrown instanceof FabricException
        || thrown instanceof NelumboException known
            && (known.code() == ErrorCode.CONNECTION_LOST || known.code() == ErrorCode.SHUT_DOWN);
  }

  /** Returns true if the transaction may have committed. */
  public boolean mayHaveHappened() {
    return reason == Reason.UNKNOWN || reason == Reason.BROKEN_COMMIT;
  }

  /** Returns true if the client cannot use the session any more. */
  public boolean isBroken() {
    return reason == Reason.BROKEN || reason == Reason.BROKEN_COMMIT;
  }

  /** Returns true if the client cannot use the database any more. */
  public boolean isLost() {
    return reason == Reason.LOST || reason == Reason.UNKNOWN;
  }
}
