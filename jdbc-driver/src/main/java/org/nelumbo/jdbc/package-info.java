/**
 * The JDBC driver: {@code java.sql} on {@link org.nelumbo.planner.Session}.
 *
 * <p>Entry points are {@link NelumboDriver}, which the service loader finds, and {@link
 * NelumboDataSource}. Nothing else is public.
 *
 * <h2>Who does what</h2>
 *
 * <ul>
 *   <li><b>Opening.</b> {@link ConnectionUrl} and {@link PoolLocation} parse a URL, {@link
 *       ConnectionProperty} lists its properties. {@link DatabaseRegistry} finds or opens the
 *       database; at the end of the JVM {@link PoolShutdownHook} closes those that outlive it.
 *   <li><b>Connection.</b> {@link NelumboConnection} makes statements and keeps settings. It
 *       delegates to {@link ConnectionCore} (session, open statements, failures, network timeout,
 *       end) and {@link ConnectionTransactions} (commit, savepoints, isolation).
 *   <li><b>Statement.</b> {@link NelumboStatement} takes SQL texts, {@link
 *       NelumboPreparedStatement} takes parameters. Both delegate to a {@link StatementCore}, which
 *       has the execution, the result and the generated keys. Batches are in {@link PreparedBatch}
 *       and {@link BatchUpdates}.
 *   <li><b>Result.</b> {@link NelumboResultSet} reads the columns of the row on which its {@link
 *       ResultCursor} stands. {@link ResultSetOwner} is all it knows of its statement.
 *   <li><b>Values.</b> {@link ParameterConverter} converts what setters get to raw values, {@link
 *       ColumnConverter} converts raw values to what getters return, {@link JdbcTypes} maps types.
 *   <li><b>Metadata.</b> {@link NelumboDatabaseMetaData} asks {@link TableMetadata} and {@link
 *       KeyMetadata}; what is the same for all databases is in {@link StaticMetadata}.
 *   <li><b>Failures.</b> {@link SqlExceptions} makes every {@code SQLException}, {@link
 *       ConnectionCore#failed} decides what an error leaves open. {@link Decimals} and {@link
 *       LargeObjects} read what a caller gives without trusting it.
 * </ul>
 *
 * <p>Base classes refuse or answer what never changes ({@link StaticMetadata}, {@link
 * ReadOnlyResultSet}, {@link UnsupportedConnectionFeatures}) or delegate ({@link
 * AbstractStatement}). State is in fields of the final classes, never in a chain of bases.
 *
 * <h2>Three ways through the driver</h2>
 *
 * <ol>
 *   <li>{@code setLong(1, v)}: {@link NelumboPreparedStatement} checks that the statement is open,
 *       {@link ParameterConverter} converts the value, and it lies in the execution's {@link
 *       org.nelumbo.executor.expr.ParameterSet}, where expressions read it. There is no other copy.
 *   <li>{@code executeQuery()}: the {@link StatementCore} closes what the last run left, reports
 *       the start to the {@link ConnectionCore}, runs the {@link
 *       org.nelumbo.planner.StatementExecution}, and opens its result set on it. The execution is
 *       itself the {@link org.nelumbo.planner.Rows} that {@code next()} advances. Statement,
 *       execution and result set are used again by the next run: a point query allocates nothing
 *       here.
 *   <li>{@code commit()}: {@link ConnectionTransactions} commits the session's transaction. Then
 *       {@link OpenStatements} closes all open results, whether the commit succeeded or not.
 * </ol>
 *
 * <h2>Failures</h2>
 *
 * <p>Nothing but {@code SQLException} leaves a method of {@code java.sql}. So each of these methods
 * either does nothing that can fail, or all of it is in a {@code try} with {@code catch
 * (Throwable)} (a test reads that from the class files). What is caught passes {@link
 * ConnectionCore#failed}:
 *
 * <ul>
 *   <li>An {@code SQLException} goes on as it is.
 *   <li>An error of the engine closes open results if it has ended the transaction.
 *   <li>What nobody expected, such as an {@code OutOfMemoryError}, ends the transaction: {@link
 *       org.nelumbo.executor.error.UnexpectedErrors} says what the user is told.
 * </ul>
 *
 * <p>What objects of the caller throw (streams, calendars, large objects) concerns the call only:
 * {@link SqlExceptions#ofCaller}. While connecting, all is 08001: {@link
 * SqlExceptions#notConnected}.
 *
 * <h2>Threads</h2>
 *
 * <p>A connection, its statements and its results belong to one thread at a time. Any thread may
 * call {@code Statement.cancel}, and {@code close}, {@code abort}, {@code isClosed} and {@code
 * isValid} of the connection. {@link RequestWatchdog} closes a connection from a timer thread when
 * a request exceeds the network timeout. {@link DatabaseRegistry} is thread-safe.
 */
package org.nelumbo.jdbc;
