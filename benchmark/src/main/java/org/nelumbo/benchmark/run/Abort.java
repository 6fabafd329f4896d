package org.nelumbo.benchmark.run;

import org.nelumbo.benchmark.database.Failure;

/**
 * Why a try did not commit, and what was done about it.
 *
 * @param cause what the database said
 * @param treatment what became of the transaction
 */
public record Abort(Failure cause, Treatment treatment) {
  /** What becomes of a transaction after an error. */
  public enum Treatment {
    /** Tried again. */
    RETRIED,
    /** Given up: it had been tried too often. */
    GIVEN_UP,
    /** The benchmark allows this error: an expected rollback. */
    EXPECTED,
    /** Nobody knows whether it committed; not tried again. */
    UNKNOWN
  }
}
