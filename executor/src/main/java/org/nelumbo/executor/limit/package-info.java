/**
 * Limits of running statements: requests to stop, time limits, work between two looks at them, and
 * budgets of heap memory.
 *
 * <p>A {@link org.nelumbo.executor.limit.StatementLimits} belongs to one execution of a plan and is
 * reached through its frame. Loops call {@code work} with what they have done; every thousand units
 * it looks whether the statement is to stop. Structures that grow with the data have a {@link
 * org.nelumbo.executor.limit.MemoryAccount}: before an array grows, its bytes are reserved in the
 * {@link org.nelumbo.executor.limit.MemoryBudget}s of the statement, the session and the JVM. What
 * does not fit is written to a temporary file by operators that can, or ends the statement with
 * 53200; so a large statement never takes the memory that other sessions need.
 */
package org.nelumbo.executor.limit;
