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
 *   <li><b>Failures.</b> {@link SqlExceptions} makes every {@code SQLException}.
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
 * <p>An error of the engine passes {@link ConnectionCore#failed}, which closes open results if the
 * error has ended the transaction, and makes the {@code SQLException} for it.
 *
 * <h2>Threads</h2>
 *
 * <p>A connection, its statements and its results belong to one thread at a time. Any thread may
 * call {@code Statement.cancel}, and {@code close}, {@code abort}, {@code isClosed} and {@code
 * isValid} of the connection. {@link RequestWatchdog} closes a connection from a timer thread when
 * a request exceeds the network timeout. {@link DatabaseRegistry} is thread-safe.
 */
package org.nelumbo.jdbc;
