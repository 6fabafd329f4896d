/**
 * Sessions of a database in this process: transactions, and the execution of statements.
 *
 * <p>A connection uses a {@link org.nelumbo.database.session.LocalSession}. It assembles the parts,
 * and each call enters the {@code SessionMutex} first, so that one thread at a time is inside.
 *
 * <h2>The path of a statement</h2>
 *
 * <ol>
 *   <li>{@code LocalSession.newExecution} returns a {@code LocalExecution}, either a new one or an
 *       idle one from {@code IdleExecutions}. It has a {@code Portal}: plan, parameters, the result
 *       being read, generated keys. A portal is independent of transactions.
 *   <li>{@code executeQuery} and {@code executeUpdate} pass the portal to the {@code
 *       StatementRunner}. It arms the time limit, locks the metadata of the tables, renews an
 *       outdated plan, begins a transaction if none is active, runs the plan, and ends the
 *       statement or undoes its changes.
 *   <li>Statements without a plan (DDL, COMMIT, SET ...) are run by {@code SessionCommands}.
 *   <li>Rows are streamed: each one is fetched from the {@code StatementRunner} under the mutex.
 * </ol>
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>While a transaction is active, its session holds the metadata locks of all tables it has
 *       touched; {@code SessionTransaction} releases them when the transaction ends.
 *   <li>A streamed result never outlives its transaction: {@code SessionTransaction} closes it, or
 *       reads its remaining rows into memory, before every commit and rollback.
 *   <li>A transaction that failed as a whole has been rolled back, and stays failed until the user
 *       issues ROLLBACK.
 *   <li>A plan runs only after its tables have been locked and the plan has been found current, in
 *       this order, so that no schema change can come between.
 * </ul>
 *
 * <p>Any thread may cancel or abort a session; schema changes and system views read its locks and
 * its state without stopping it. {@code LocalNativeSession} provides the engine's transactions to
 * the native API, which has neither portals nor auto-commit.
 */
package org.nelumbo.database.session;
