/**
 * Consistency conditions, written as queries that return the rows that violate them. {@link
 * org.nelumbo.benchmark.check.ConditionChecker} runs them and returns a {@link
 * org.nelumbo.benchmark.check.CheckResult} for each.
 */
package org.nelumbo.benchmark.check;
