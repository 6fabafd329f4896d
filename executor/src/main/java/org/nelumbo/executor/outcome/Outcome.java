package org.nelumbo.executor.outcome;

/**
 * Outcomes of the operations of a transaction. After {@link #CONFLICT}, {@link #TOO_OLD}, {@link
 * #CANCELLED}, {@link #TOO_FEW_COPIES} or {@link #NO_TIMESTAMPS} the transaction can only be
 * aborted. After {@link #EXHAUSTED}, {@link #DUPLICATE} or {@link #NOT_FOUND} the call has had no
 * effect and the transaction may go on.
 */
public enum Outcome {
  OK,

  /** There is no such row; the end of a scan. */
  NOT_FOUND,

  /** A row with this primary key, or this value of a unique index, is there. */
  DUPLICATE,

  /** Another transaction stands in the way. */
  CONFLICT,

  /** The pool has no memory left. */
  EXHAUSTED,

  /** The snapshot is older than the versions that are kept. */
  TOO_OLD,

  /** The statement was cancelled or ran out of time. */
  CANCELLED,

  /** Fewer copies of the pool are live than a commit is to have. */
  TOO_FEW_COPIES,

  /** The pool has no commit timestamps left. */
  NO_TIMESTAMPS
}
