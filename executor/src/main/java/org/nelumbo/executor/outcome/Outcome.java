package org.nelumbo.executor.outcome;

/**
 * Outcomes of the operations of a transaction. After CONFLICT, TOO_OLD or CANCELLED the transaction
 * can only be aborted. After EXHAUSTED, DUPLICATE or NOT_FOUND the call has had no effect and the
 * transaction may go on.
 */
public final class Outcome {
  public static final int OK = 0;

  /** There is no such row; the end of a scan. */
  public static final int NOT_FOUND = 1;

  /** A row with this primary key, or this value of a unique index, is there. */
  public static final int DUPLICATE = 2;

  /** Another transaction stands in the way. */
  public static final int CONFLICT = 3;

  /** The pool has no memory left. */
  public static final int EXHAUSTED = 4;

  /** The snapshot is older than the versions that are kept. */
  public static final int TOO_OLD = 5;

  /** The statement was cancelled or ran out of time. */
  public static final int CANCELLED = 6;

  private Outcome() {}
}
