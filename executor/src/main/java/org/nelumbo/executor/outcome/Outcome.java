package org.nelumbo.executor.outcome;

/**
 * The outcomes of the operations of a transaction. After {@link #CONFLICT}, {@link #TOO_OLD},
 * {@link #CANCELLED}, {@link #TOO_FEW_COPIES} or {@link #NO_TIMESTAMPS} the transaction can only be
 * aborted. After {@link #EXHAUSTED}, {@link #DUPLICATE} or {@link #NOT_FOUND} the call has had no
 * effect and the transaction may go on.
 */
public enum Outcome {
  OK,

  /** The row does not exist, or the scan is at its end. */
  NOT_FOUND,

  /** A row with this primary key, or with this value of a unique index, exists. */
  DUPLICATE,

  /** The operation conflicts with another transaction. */
  CONFLICT,

  /** The pool has no free memory. */
  EXHAUSTED,

  /** The snapshot is older than the versions that are kept. */
  TOO_OLD,

  /** The statement was cancelled or exceeded its time limit. */
  CANCELLED,

  /** Fewer copies of the pool are live than a commit requires. */
  TOO_FEW_COPIES,

  /** The pool has no commit timestamps left. */
  NO_TIMESTAMPS
}
