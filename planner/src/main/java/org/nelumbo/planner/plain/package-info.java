/**
 * A fast path from syntax trees to relational trees for simple queries, without Calcite's validator
 * and converter. {@link org.nelumbo.planner.plain.PlainQuery} declines all queries that it does not
 * support.
 */
package org.nelumbo.planner.plain;
