/**
 * Terminals that speak the native API of our own engine: key operations in Java instead of SQL.
 *
 * <p>{@link org.nelumbo.benchmark.nativeapi.NativeSession} runs the transactions of a terminal and
 * its retries, as {@code JdbcSession} does for SQL; {@link
 * org.nelumbo.benchmark.nativeapi.NativeCosts} reads the counters of its session. Nothing here is
 * loaded by runs against other products. Everything belongs to one terminal and its thread.
 */
package org.nelumbo.benchmark.nativeapi;
