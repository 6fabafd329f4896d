/**
 * A database in this process: opening and closing it, its sessions, schema changes, durability and
 * system views. The planner module below it turns statements into operators.
 *
 * <h2>Entry points and order of calls</h2>
 *
 * <ol>
 *   <li>{@link org.nelumbo.database.open.DatabaseOpener} opens a {@link
 *       org.nelumbo.database.Database}.
 *   <li>{@link org.nelumbo.database.Database#connect} opens a {@link org.nelumbo.session.Session};
 *       {@link org.nelumbo.database.Database#openNative} opens a session of the native API.
 *   <li>{@link org.nelumbo.session.Session#prepare} compiles a text to a {@link
 *       org.nelumbo.session.PreparedStatementPlan}, which is immutable and shared by all sessions.
 *   <li>{@link org.nelumbo.session.Session#newExecution} creates a {@link
 *       org.nelumbo.session.StatementExecution}. It takes parameters and returns rows or a count,
 *       any number of times.
 * </ol>
 *
 * <h2>The subpackages, from the bottom up</h2>
 *
 * <ul>
 *   <li>{@code check}: checks of a whole database, and their defect reports.
 *   <li>{@code durable}: checkpoints, backup, restore and salvage.
 *   <li>{@code ddl}: schema changes.
 *   <li>{@code plancache}: compiled statements, per database and per session.
 *   <li>{@code session}: sessions, transactions, and the execution of statements.
 *   <li>{@code workload}: statistics of statements, and the slow query log.
 *   <li>{@code sysviews}, {@code infoschema}: the views of the schemas SYS and INFORMATION_SCHEMA.
 *   <li>{@code open}: attaching to pools and leaving them.
 * </ul>
 *
 * <p>Errors are {@link org.nelumbo.error.NelumboException}. Nothing here depends on {@code
 * java.sql}; the JDBC driver and the simulator are two of the callers.
 */
package org.nelumbo.database;
