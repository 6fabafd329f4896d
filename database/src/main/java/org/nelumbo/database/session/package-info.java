/**
 * Sessions on a database of this process: transactions, and the running of statements.
 *
 * <p>{@link org.nelumbo.database.session.LocalSession} is what a connection holds. It puts the
 * parts together, and each call enters the {@code SessionMutex} first, so that one thread at a time
 * is inside.
 *
 * <h2>The way of a statement</h2>
 *
 * <ol>
 *   <li>{@code LocalSession.newExecution} gives out a {@code LocalExecution}, one that rests in
 *       {@code IdleExecutions} or a new one. It has a {@code Portal}: plan, parameters, the result
 *       being read, generated keys. A portal knows nothing of transactions.
 *   <li>{@code executeQuery} and {@code executeUpdate} hand the portal to the {@code
 *       StatementRunner}: it arms the time limit, locks the metadata of the tables, renews a plan
 *       that is out of date, begins a transaction if none is active, runs the plan, and ends the
 *       statement or takes back what it did.
 *   <li>What has no plan (DDL, COMMIT, SET ...) goes to the {@code SessionCommands} instead.
 *   <li>Rows are streamed: the {@code StatementRunner} is asked for each, under the mutex.
 * </ol>
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>While a transaction is active its session holds the metadata locks of all tables it has
 *       touched; {@code SessionTransaction} releases them when the transaction ends.
 *   <li>A streamed result never outlives its transaction: {@code SessionTransaction} closes it, or
 *       reads what is left into memory, before every commit and rollback.
 *   <li>A transaction that failed as a whole has been rolled back, and stays failed until the user
 *       says ROLLBACK.
 *   <li>A plan runs only after its tables have been locked and the plan been found current, in this
 *       order: no schema change can come between.
 * </ul>
 *
 * <p>Any thread may cancel or abort a session; schema changes and system views read its locks and
 * its state without stopping it. {@code LocalNativeSession} gives the engine's transactions to the
 * native API, which has neither portals nor auto-commit.
 */
package org.nelumbo.database.session;
