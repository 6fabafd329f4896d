/**
 * The SQL engine as its callers see it: databases, sessions, prepared statements and their
 * executions.
 *
 * <h2>Entry and order of calls</h2>
 *
 * <ol>
 *   <li>{@link org.nelumbo.planner.open.DatabaseOpener} opens a {@link
 *       org.nelumbo.planner.Database}.
 *   <li>{@link org.nelumbo.planner.Database#connect} makes a {@link org.nelumbo.planner.Session};
 *       {@link org.nelumbo.planner.Database#openNative} one of the native API.
 *   <li>{@link org.nelumbo.planner.Session#prepare} turns a text into a {@link
 *       org.nelumbo.planner.PreparedStatementPlan}, which is immutable and shared by all sessions.
 *   <li>{@link org.nelumbo.planner.Session#newExecution} makes a {@link
 *       org.nelumbo.planner.StatementExecution}: parameters in, rows or a count out, as often as
 *       wanted.
 * </ol>
 *
 * <h2>The packages below, from the bottom up</h2>
 *
 * <ul>
 *   <li>{@code catalog}: tables, indexes and schemas, in the pool and in memory.
 *   <li>{@code frontend}: a syntax tree becomes a validated relational tree.
 *   <li>{@code physical}: a relational tree becomes operators of the executor.
 *   <li>{@code ddl}: schema changes.
 *   <li>{@code plancache}: compiled statements, per database and per session.
 *   <li>{@code session}: sessions, transactions, and the running of statements.
 *   <li>{@code sysviews}: the views of schema SYS.
 *   <li>{@code open}: attaching to pools and leaving them.
 * </ul>
 *
 * <p>Errors are {@link org.nelumbo.executor.error.NelumboException}. Nothing here knows {@code
 * java.sql}; the JDBC driver is one caller, the simulator another.
 */
package org.nelumbo.planner;
