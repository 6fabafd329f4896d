/**
 * Terminals that use the native API of Nelumbo: key operations in Java instead of SQL.
 *
 * <p>{@link org.nelumbo.benchmark.nativeapi.NativeApiSession} runs the transactions of a terminal,
 * as {@code JdbcSession} does for SQL. {@link org.nelumbo.benchmark.nativeapi.NativeCosts} reads
 * the counters of its session. Runs against other products do not load these classes. Every session
 * belongs to one terminal and its thread.
 */
package org.nelumbo.benchmark.nativeapi;
