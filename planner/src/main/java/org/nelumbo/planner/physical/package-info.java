/**
 * Turns relational trees into operators.
 *
 * <p>{@link org.nelumbo.planner.physical.StatementPlanner#plan} is the entry point; it returns a
 * {@link org.nelumbo.planner.modify.PhysicalPlan}. {@code RelPlanner} descends the tree and passes
 * each node to the planner of its kind: {@code ScanPlanner}, {@code JoinPlanner}, {@code
 * InnerJoinPlanner}, {@code AggregatePlanner}, {@code SubQueryPlanner}, {@code SetPlanner}. {@code
 * ModifyPlanner} and {@code ConstraintPlanner} plan changes of rows. All of them plan their inputs
 * through {@code InputPlanner}.
 *
 * <h2>Principles</h2>
 *
 * <ul>
 *   <li><b>Condition pushdown</b>: a node receives the conditions on its rows and the required
 *       order, passes down as much as possible, and does the rest itself. At the table, the
 *       conditions that a key decides are separated from the rest ({@code AccessPlanner}, {@code
 *       AccessPath}).
 *   <li><b>Cost-based joins</b> ({@code JoinOrder}): a relation whose key is determined is looked
 *       up; all others are hashed, possibly after they have been joined to others.
 *   <li><b>No copies of columns</b>: a column of a node is an expression over the frame, which is
 *       substituted into the expressions above it ({@code PlannedRelation}).
 *   <li><b>Cost</b> is measured in rows read, see {@code CostModel}.
 * </ul>
 *
 * <p>A {@code PlanContext} belongs to one statement while it is planned. The plan is immutable and
 * shared; each execution copies its operators.
 */
package org.nelumbo.planner.physical;
