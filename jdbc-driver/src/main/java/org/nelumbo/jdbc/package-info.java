/**
 * The JDBC driver: a thin {@code java.sql} layer on {@link org.nelumbo.planner.Session}. Entry
 * type: {@link org.nelumbo.jdbc.NelumboDriver}, found through the service loader.
 *
 * <p>The interfaces of {@code java.sql} are wide; their implementations are layered by idea. A
 * connection is its life, its settings, its transactions, and what makes statements ({@code
 * ConnectionLife} up to {@code NelumboConnection}); a statement its settings, its runs, and texts
 * or parameters ({@code StatementSettings} up to {@code NelumboStatement} and {@code
 * NelumboPreparedStatement}); a result set refuses changes, finds columns by label, stands on a row
 * and gives values ({@code ReadOnlyLargeValues} up to {@code NelumboResultSet}). Layers add fields
 * and methods, never a second implementation of one.
 */
package org.nelumbo.jdbc;
