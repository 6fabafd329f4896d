package org.nelumbo.benchmark.run;

import org.nelumbo.benchmark.database.Failure;

/**
 * The cause of a failed attempt, and its consequence.
 *
 * @param cause the error that the database reported
 * @param treatment fate of the transaction
 */
public record Abort(Failure cause, Treatment treatment) {
  /** The fate of a transaction after an error. */
  public enum Treatment {
    /** Retried. */
    RETRIED,
    /** Given up after too many attempts. */
    GIVEN_UP,
    /** An error that the benchmark allows; counted as an expected rollback. */
    EXPECTED,
    /** Committed or not, which is unknown. Not retried. */
    UNKNOWN
  }
}
