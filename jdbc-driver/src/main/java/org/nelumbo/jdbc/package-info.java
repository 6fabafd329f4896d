/**
 * The JDBC driver: {@code java.sql} on {@link org.nelumbo.session.Session}.
 *
 * <p>Entry points are {@link NelumboDriver}, which the service loader finds, and {@link
 * NelumboDataSource}. The classes of the packages below are public for each other only.
 *
 * <h2>Who does what</h2>
 *
 * <p>The packages, from the bottom up: {@code value}, {@code url}, {@code result}, {@code
 * statement}, {@code metadata}, {@code connection}, {@code embedded}.
 *
 * <ul>
 *   <li><b>Opening.</b> {@link org.nelumbo.jdbc.url.ConnectionUrl} and {@link
 *       org.nelumbo.jdbc.url.PoolLocation} parse a URL, {@link
 *       org.nelumbo.jdbc.url.ConnectionProperty} lists its properties. {@link
 *       org.nelumbo.jdbc.embedded.DatabaseRegistry} finds or opens the database; at the end of the
 *       JVM {@link org.nelumbo.jdbc.embedded.PoolShutdownHook} closes those that outlive it.
 *   <li><b>Connection.</b> {@link org.nelumbo.jdbc.connection.NelumboConnection} makes statements
 *       and keeps settings. It delegates to {@link org.nelumbo.jdbc.statement.ConnectionCore}
 *       (session, open statements, failures, network timeout, end) and {@link
 *       org.nelumbo.jdbc.connection.ConnectionTransactions} (commit, savepoints, isolation).
 *   <li><b>Statement.</b> {@link org.nelumbo.jdbc.statement.NelumboStatement} takes SQL texts,
 *       {@link org.nelumbo.jdbc.statement.NelumboPreparedStatement} takes parameters. Both delegate
 *       to a {@link org.nelumbo.jdbc.statement.StatementCore}, which has the execution, the result
 *       and the generated keys. Batches are in {@link org.nelumbo.jdbc.statement.PreparedBatch} and
 *       {@link org.nelumbo.jdbc.statement.BatchUpdates}.
 *   <li><b>Result.</b> {@link org.nelumbo.jdbc.result.NelumboResultSet} reads the columns of the
 *       row on which its {@link org.nelumbo.jdbc.result.ResultCursor} stands. {@link
 *       org.nelumbo.jdbc.result.ResultSetOwner} is all it knows of its statement.
 *   <li><b>Values.</b> {@link org.nelumbo.jdbc.value.ParameterConverter} converts what setters get
 *       to raw values, {@link org.nelumbo.jdbc.value.ColumnConverter} converts raw values to what
 *       getters return, {@link org.nelumbo.jdbc.value.JdbcTypes} maps types.
 *   <li><b>Metadata.</b> {@link org.nelumbo.jdbc.metadata.NelumboDatabaseMetaData} asks {@link
 *       org.nelumbo.jdbc.metadata.TableMetadata} and {@link org.nelumbo.jdbc.metadata.KeyMetadata};
 *       what is the same for all databases is in {@link org.nelumbo.jdbc.metadata.StaticMetadata}.
 *   <li><b>Failures.</b> {@link org.nelumbo.jdbc.value.SqlExceptions} makes every {@code
 *       SQLException}, {@link org.nelumbo.jdbc.statement.ConnectionCore#failed} decides what an
 *       error leaves open. {@link org.nelumbo.jdbc.value.DecimalRounding} and {@link
 *       org.nelumbo.jdbc.value.LargeObjects} read what a caller gives without trusting it.
 * </ul>
 *
 * <p>Base classes refuse or answer what never changes ({@link
 * org.nelumbo.jdbc.metadata.StaticMetadata}, {@link org.nelumbo.jdbc.result.UpdatableResultSet},
 * {@link org.nelumbo.jdbc.connection.UnsupportedConnectionFeatures}) or delegate ({@link
 * org.nelumbo.jdbc.statement.AbstractStatement}). State is in fields of the final classes, never in
 * a chain of bases.
 *
 * <h2>Three ways through the driver</h2>
 *
 * <ol>
 *   <li>{@code setLong(1, v)}: {@link org.nelumbo.jdbc.statement.NelumboPreparedStatement} checks
 *       that the statement is open, {@link org.nelumbo.jdbc.value.ParameterConverter} converts the
 *       value, and it lies in the execution's {@link org.nelumbo.types.ParameterSet}, where
 *       expressions read it. There is no other copy.
 *   <li>{@code executeQuery()}: the {@link org.nelumbo.jdbc.statement.StatementCore} closes what
 *       the last run left, reports the start to the {@link
 *       org.nelumbo.jdbc.statement.ConnectionCore}, runs the {@link
 *       org.nelumbo.session.StatementExecution}, and opens its result set on it. The execution is
 *       itself the {@link org.nelumbo.session.Rows} that {@code next()} advances. Statement,
 *       execution and result set are used again by the next run: a point query allocates nothing
 *       here.
 *   <li>{@code commit()}: {@link org.nelumbo.jdbc.connection.ConnectionTransactions} commits the
 *       session's transaction. Then {@link org.nelumbo.jdbc.statement.OpenStatements} closes all
 *       open results, whether the commit succeeded or not.
 * </ol>
 *
 * <h2>Failures</h2>
 *
 * <p>Nothing but {@code SQLException} leaves a method of {@code java.sql}. So each of these methods
 * either does nothing that can fail, or all of it is in a {@code try} with {@code catch
 * (Throwable)} (a test reads that from the class files). What is caught passes {@link
 * org.nelumbo.jdbc.statement.ConnectionCore#failed}:
 *
 * <ul>
 *   <li>An {@code SQLException} goes on as it is.
 *   <li>An error of the engine closes open results if it has ended the transaction.
 *   <li>What nobody expected, such as an {@code OutOfMemoryError}, ends the transaction: {@link
 *       org.nelumbo.executor.error.UnexpectedErrors} says what the user is told.
 * </ul>
 *
 * <p>What objects of the caller throw (streams, calendars, large objects) concerns the call only:
 * {@link org.nelumbo.jdbc.value.SqlExceptions#ofCaller}. While connecting, all is 08001: {@link
 * org.nelumbo.jdbc.value.SqlExceptions#notConnected}.
 *
 * <h2>Threads</h2>
 *
 * <p>A connection, its statements and its results belong to one thread at a time. Any thread may
 * call {@code Statement.cancel}, and {@code close}, {@code abort}, {@code isClosed} and {@code
 * isValid} of the connection. {@link org.nelumbo.jdbc.statement.RequestWatchdog} closes a
 * connection from a timer thread when a request exceeds the network timeout. {@link
 * org.nelumbo.jdbc.embedded.DatabaseRegistry} is thread-safe.
 */
package org.nelumbo.jdbc;
