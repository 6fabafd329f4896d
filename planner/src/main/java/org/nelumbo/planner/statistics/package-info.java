/**
 * Statistics of the values in tables, from which the planner estimates how many rows satisfy a
 * condition or a join.
 *
 * <p>{@link org.nelumbo.planner.statistics.StatisticsSampler} reads some thousand rows of a table
 * and computes {@link org.nelumbo.planner.statistics.TableStatistics} from them. Statistics are not
 * stored in the pool: every compute node collects its own.
 */
package org.nelumbo.planner.statistics;
