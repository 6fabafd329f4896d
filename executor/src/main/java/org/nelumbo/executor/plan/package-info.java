/**
 * Plans and their executions: the interface between the planner and sessions.
 *
 * <p>A {@link org.nelumbo.executor.plan.Plan} is immutable, shared and cached. It consists of a
 * prototype of the operator tree, the layout of its frames, and the columns of its result. {@link
 * org.nelumbo.executor.plan.Plan#newExecution} creates a {@link
 * org.nelumbo.executor.plan.PlanExecution}, which belongs to one statement of one session and is
 * run repeatedly: a copy of the operators, a frame, and the parameters of the statement.
 *
 * <h2>Order of calls</h2>
 *
 * <ol>
 *   <li>Set the parameters. A parameter without a value fails with 07001.
 *   <li>{@code open(transaction)}, {@code next()} until it returns false, reading columns in
 *       between, and {@code close()}; or {@code executeUpdate(transaction)} for a count.
 * </ol>
 *
 * <p>After a failure the changes made so far remain in the transaction: the caller rolls back to a
 * savepoint, or aborts.
 *
 * <p>For EXPLAIN ANALYZE, operators are wrapped in {@link
 * org.nelumbo.executor.plan.InstrumentedOperator}s, which count rows, time and verbs. Used by one
 * thread at a time.
 */
package org.nelumbo.executor.plan;
