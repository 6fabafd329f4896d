/**
 * Consistency conditions as queries that return the rows which break them: {@link
 * org.nelumbo.benchmark.check.ConditionChecker} runs them, {@link
 * org.nelumbo.benchmark.check.CheckResult} says what came out.
 */
package org.nelumbo.benchmark.check;
