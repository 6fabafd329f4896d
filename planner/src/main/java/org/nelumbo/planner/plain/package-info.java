/**
 * A fast path for simple statements, without Calcite's validator and converter, and without a
 * relational tree. {@link org.nelumbo.planner.plain.PlainQuery} declines all queries that it does
 * not support.
 */
package org.nelumbo.planner.plain;
