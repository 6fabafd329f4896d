/**
 * The JDBC driver: {@code java.sql} on {@link org.nelumbo.session.Session}.
 *
 * <p>Entry points are {@link NelumboDriver}, which the service loader finds, and {@link
 * NelumboDataSource}. The classes of the subpackages are public only for use within the driver.
 *
 * <h2>Responsibilities</h2>
 *
 * <p>The packages, from the bottom up: {@code value}, {@code url}, {@code result}, {@code
 * statement}, {@code metadata}, {@code connection}, {@code embedded}.
 *
 * <ul>
 *   <li><b>Opening.</b> {@link org.nelumbo.jdbc.url.ConnectionUrl} and {@link
 *       org.nelumbo.jdbc.url.PoolLocation} parse a URL, {@link
 *       org.nelumbo.jdbc.url.ConnectionProperty} lists its properties. {@link
 *       org.nelumbo.jdbc.embedded.DatabaseRegistry} finds or opens the database. When the JVM shuts
 *       down, {@link org.nelumbo.jdbc.embedded.PoolShutdownHook} closes the pools that outlive it.
 *   <li><b>Connection.</b> {@link org.nelumbo.jdbc.connection.NelumboConnection} creates statements
 *       and keeps settings. It delegates to {@link org.nelumbo.jdbc.statement.ConnectionCore}
 *       (session, open statements, failures, network timeout, closing) and {@link
 *       org.nelumbo.jdbc.connection.ConnectionTransactions} (commit, savepoints, isolation).
 *   <li><b>Statement.</b> {@link org.nelumbo.jdbc.statement.NelumboStatement} runs SQL texts,
 *       {@link org.nelumbo.jdbc.statement.NelumboPreparedStatement} takes parameters. Both delegate
 *       to a {@link org.nelumbo.jdbc.statement.StatementCore}, which owns the execution, the result
 *       and the generated keys. Batches are in {@link org.nelumbo.jdbc.statement.PreparedBatch} and
 *       {@link org.nelumbo.jdbc.statement.BatchUpdates}.
 *   <li><b>Result.</b> {@link org.nelumbo.jdbc.result.NelumboResultSet} reads the columns of the
 *       current row of its {@link org.nelumbo.jdbc.result.ResultCursor}. It uses its statement only
 *       through {@link org.nelumbo.jdbc.result.ResultSetOwner}.
 *   <li><b>Values.</b> {@link org.nelumbo.jdbc.value.ParameterConverter} converts the arguments of
 *       setters to raw values, {@link org.nelumbo.jdbc.value.ColumnConverter} converts raw values
 *       to the results of getters, {@link org.nelumbo.jdbc.value.JdbcTypes} maps types.
 *   <li><b>Metadata.</b> {@link org.nelumbo.jdbc.metadata.NelumboDatabaseMetaData} delegates to
 *       {@link org.nelumbo.jdbc.metadata.TableMetadata} and {@link
 *       org.nelumbo.jdbc.metadata.KeyMetadata}; facts that are equal for all databases are in
 *       {@link org.nelumbo.jdbc.metadata.StaticMetadata}.
 *   <li><b>Failures.</b> {@link org.nelumbo.jdbc.value.SqlExceptions} creates every {@code
 *       SQLException}, {@link org.nelumbo.jdbc.statement.ConnectionCore#failed} decides which
 *       results stay open after an error. {@link org.nelumbo.jdbc.value.DecimalRounding} and {@link
 *       org.nelumbo.jdbc.value.LargeObjects} read objects of the caller without trusting them.
 * </ul>
 *
 * <p>Base classes either reject calls and return constants ({@link
 * org.nelumbo.jdbc.metadata.StaticMetadata}, {@link org.nelumbo.jdbc.result.UpdatableResultSet},
 * {@link org.nelumbo.jdbc.connection.UnsupportedConnectionFeatures}) or delegate ({@link
 * org.nelumbo.jdbc.statement.AbstractStatement}). State is in fields of the final classes, never in
 * a chain of base classes.
 *
 * <h2>Three paths through the driver</h2>
 *
 * <ol>
 *   <li>{@code setLong(1, v)}: {@link org.nelumbo.jdbc.statement.NelumboPreparedStatement} checks
 *       that the statement is open, {@link org.nelumbo.jdbc.value.ParameterConverter} converts the
 *       value and stores it in the execution's {@link org.nelumbo.types.ParameterSet}, where
 *       expressions read it. There is no other copy.
 *   <li>{@code executeQuery()}: the {@link org.nelumbo.jdbc.statement.StatementCore} closes the
 *       results of the previous run, reports the start to the {@link
 *       org.nelumbo.jdbc.statement.ConnectionCore}, runs the {@link
 *       org.nelumbo.session.StatementExecution}, and opens its result set on it. The execution
 *       itself is the {@link org.nelumbo.session.Rows} that {@code next()} advances. The next run
 *       reuses statement, execution and result set: a point query allocates nothing here.
 *   <li>{@code commit()}: {@link org.nelumbo.jdbc.connection.ConnectionTransactions} commits the
 *       session's transaction. Then {@link org.nelumbo.jdbc.statement.OpenStatements} closes all
 *       open results, whether the commit succeeded or not.
 * </ol>
 *
 * <h2>Failures</h2>
 *
 * <p>A method of {@code java.sql} throws only {@code SQLException}. Therefore each of these methods
 * either contains nothing that can fail, or its whole body is in a {@code try} with {@code catch
 * (Throwable)} (a test verifies this in the class files). Each caught exception is passed to {@link
 * org.nelumbo.jdbc.statement.ConnectionCore#failed}:
 *
 * <ul>
 *   <li>An {@code SQLException} is rethrown unchanged.
 *   <li>An error of the engine closes open results if it has ended the transaction.
 *   <li>An unexpected error, such as an {@code OutOfMemoryError}, ends the transaction; {@link
 *       org.nelumbo.executor.error.UnexpectedErrors} builds the message for the user.
 * </ul>
 *
 * <p>An exception thrown by an object of the caller (stream, calendar, large object) affects only
 * the current call: {@link org.nelumbo.jdbc.value.SqlExceptions#ofCaller}. A failure to connect has
 * SQLSTATE 08001, except for 57P03 while the pool is being loaded and XX001 for corrupted data:
 * {@link org.nelumbo.jdbc.value.SqlExceptions#notConnected}.
 *
 * <h2>Threads</h2>
 *
 * <p>Only one thread at a time may use a connection, its statements and its results. Any thread may
 * call {@code Statement.cancel}, and {@code close}, {@code abort}, {@code isClosed} and {@code
 * isValid} of the connection. {@link org.nelumbo.jdbc.statement.RequestWatchdog} closes a
 * connection from a timer thread when a request exceeds the network timeout. {@link
 * org.nelumbo.jdbc.embedded.DatabaseRegistry} is thread-safe.
 */
package org.nelumbo.jdbc;
