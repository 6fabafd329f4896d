/**
 * Terminals that speak JDBC. {@link org.nelumbo.benchmark.jdbc.JdbcSession} is a terminal's
 * connection with its transactions and retries, {@link org.nelumbo.benchmark.jdbc.StatementTexts}
 * the SQL of a benchmark, with other texts for products that need them. Statements are prepared
 * once for a terminal; everything is used by its thread.
 */
package org.nelumbo.benchmark.jdbc;
