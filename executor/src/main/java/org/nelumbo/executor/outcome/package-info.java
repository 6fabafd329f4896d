/**
 * Outcomes of the operations of a transaction, and cancellation. All operations, down to the locks,
 * return an {@link org.nelumbo.executor.outcome.Outcome}. Operations that wait or run for long poll
 * the {@link org.nelumbo.executor.outcome.CancellationToken}. Where a transaction ends, outcomes
 * are converted into the exceptions that users see, with the codes of {@link
 * org.nelumbo.executor.error}. This package does not depend on the pool, locks or rows.
 */
package org.nelumbo.executor.outcome;
