/**
 * What the operations of a transaction come to, and how one is stopped: {@link
 * org.nelumbo.executor.outcome.Outcome} is what each of them returns, down to the locks; {@link
 * org.nelumbo.executor.outcome.CancellationToken} is what those that wait or go on for long look
 * at. Failures that a user sees are made of outcomes where a transaction ends, with the codes of
 * {@link org.nelumbo.executor.error}. Nothing here knows pool, locks or rows.
 */
package org.nelumbo.executor.outcome;
