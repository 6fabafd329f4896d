/**
 * From relational trees to operators.
 *
 * <p>{@link org.nelumbo.planner.physical.StatementPlanner#plan} is the entry; its result is a
 * {@link org.nelumbo.planner.modify.PhysicalPlan}. {@code RelPlanner} goes down the tree and hands
 * each node to the planner of its kind: {@code ScanPlanner}, {@code JoinPlanner}, {@code
 * InnerJoinPlanner}, {@code AggregatePlanner}, {@code SubQueryPlanner}, {@code SetPlanner}; changes
 * of rows are planned by {@code ModifyPlanner} and {@code ConstraintPlanner}. These plan their
 * inputs through {@code InputPlanner}.
 *
 * <h2>How it plans</h2>
 *
 * <ul>
 *   <li><b>Conditions go down</b>: a node gets the conditions its rows have to meet and the order
 *       they are wanted in, passes on what it can, and does the rest itself. At the table, what a
 *       key decides is told apart from what is left over ({@code AccessPlanner}, {@code
 *       AccessPath}).
 *   <li><b>Joins by cost</b> ({@code JoinOrder}): what is bound by key is looked up, everything
 *       else is hashed, perhaps after it has been joined to others.
 *   <li><b>Columns are not copied</b>: a column of a node is an expression over the frame, and is
 *       substituted into what lies above it ({@code PlannedRelation}).
 *   <li><b>Cost</b> is counted in rows read, see {@code CostModel}.
 * </ul>
 *
 * <p>A {@code PlanContext} belongs to one statement while it is planned. The plan is immutable and
 * shared; each execution copies its operators.
 */
package org.nelumbo.planner.physical;
