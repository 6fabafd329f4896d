/**
 * Plans and their executions: what the planner hands to sessions.
 *
 * <p>A {@link org.nelumbo.executor.plan.Plan} is immutable, shared and cached: a prototype of the
 * operator tree, the layout of its frames, and the columns of its result. {@link
 * org.nelumbo.executor.plan.Plan#newExecution} gives a {@link
 * org.nelumbo.executor.plan.PlanExecution}, which belongs to one statement of one session and is
 * run again and again: a copy of the operators, a frame, and the parameters of the statement.
 *
 * <h2>Order of calls</h2>
 *
 * Set the parameters, then {@code open(transaction)}, {@code next()} until it returns false,
 * reading columns in between, and {@code close()}; or {@code executeUpdate(transaction)} for a
 * count. A parameter without value is 07001. A failure leaves the changes made so far in the
 * transaction: the caller rolls back to a savepoint, or aborts.
 *
 * <p>For EXPLAIN ANALYZE, operators are wrapped in {@link
 * org.nelumbo.executor.plan.InstrumentedOperator}s, which count rows, time and verbs. One thread at
 * a time.
 */
package org.nelumbo.executor.plan;
