/**
 * What is known of the values in tables, by which the planner estimates how many rows a condition
 * or a join leaves. {@link org.nelumbo.planner.statistics.StatisticsSampler} reads some thousand
 * rows of a table and makes {@link org.nelumbo.planner.statistics.TableStatistics} of them. Nothing
 * of it is kept in the pool: every compute node looks for itself.
 */
package org.nelumbo.planner.statistics;
