/**
 * Terminals that use JDBC. {@link org.nelumbo.benchmark.jdbc.JdbcSession} is a terminal's
 * connection with its transactions, {@link org.nelumbo.benchmark.jdbc.StatementTexts} the SQL of a
 * benchmark, with other texts for products that need them. Statements are prepared once for a
 * terminal. A session is used by the thread of its terminal only; the texts are shared.
 */
package org.nelumbo.benchmark.jdbc;
