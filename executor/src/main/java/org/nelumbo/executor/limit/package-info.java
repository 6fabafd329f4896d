/**
 * Limits of running statements: cancellation, time limits, and budgets of heap memory.
 *
 * <p>A {@link org.nelumbo.executor.limit.StatementLimits} belongs to one execution of a plan and is
 * reached through its frame. Loops report their work with {@code work}, which checks for
 * cancellation after about every thousand units. Structures that grow with the data have a {@link
 * org.nelumbo.executor.limit.MemoryAccount}: before an array grows, its bytes are reserved in the
 * {@link org.nelumbo.executor.limit.MemoryBudget}s of the statement, the session and the JVM. Rows
 * that do not fit are written to a temporary file by operators that can spill; otherwise the
 * statement fails with 53200. A large statement therefore never takes the memory that other
 * sessions need.
 */
package org.nelumbo.executor.limit;
