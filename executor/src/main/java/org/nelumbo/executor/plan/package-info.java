/**
 * Plans and their executions: what the planner hands to sessions. A {@link
 * org.nelumbo.executor.plan.Plan} is immutable and cached; a {@link
 * org.nelumbo.executor.plan.PlanExecution} is one statement's own, mutable and reused.
 */
package org.nelumbo.executor.plan;
