/**
 * A database in this process: opening and closing it, its sessions, schema changes, durability and
 * system views. The planner below turns statements into operators.
 *
 * <h2>Entry and order of calls</h2>
 *
 * <ol>
 *   <li>{@link org.nelumbo.database.open.DatabaseOpener} opens a {@link
 *       org.nelumbo.database.Database}.
 *   <li>{@link org.nelumbo.database.Database#connect} makes a {@link org.nelumbo.session.Session};
 *       {@link org.nelumbo.database.Database#openNative} one of the native API.
 *   <li>{@link org.nelumbo.session.Session#prepare} turns a text into a {@link
 *       org.nelumbo.session.PreparedStatementPlan}, which is immutable and shared by all sessions.
 *   <li>{@link org.nelumbo.session.Session#newExecution} makes a {@link
 *       org.nelumbo.session.StatementExecution}: parameters in, rows or a count out, as often as
 *       wanted.
 * </ol>
 *
 * <h2>The packages below, from the bottom up</h2>
 *
 * <ul>
 *   <li>{@code check}: checks of a whole database, and what they found.
 *   <li>{@code durable}: checkpoints, backup, restore and salvage.
 *   <li>{@code ddl}: schema changes.
 *   <li>{@code plancache}: compiled statements, per database and per session.
 *   <li>{@code session}: sessions, transactions, and the running of statements.
 *   <li>{@code workload}: statistics of statements, and the slow query log.
 *   <li>{@code sysviews}, {@code infoschema}: the views of the schemas SYS and INFORMATION_SCHEMA.
 *   <li>{@code open}: attaching to pools and leaving them.
 * </ul>
 *
 * <p>Errors are {@link org.nelumbo.error.NelumboException}. Nothing here knows {@code java.sql};
 * the JDBC driver is one caller, the simulator another.
 */
package org.nelumbo.database;
