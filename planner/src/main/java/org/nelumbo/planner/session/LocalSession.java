package org.nelumbo.planner.session;

import java.time.Duration;
import java.util.function.IntConsumer;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.PreparedStatementPlan;
import org.nelumbo.planner.Savepoint;
import org.nelumbo.planner.Session;
import org.nelumbo.planner.SessionOptions;
import org.nelumbo.planner.StatementExecution;
import org.nelumbo.planner.catalog.HeldMetadataLocks;

/**
 * A session of a {@link LocalDatabase}: its parts put together, and one thread at a time let into
 * them. {@link QueryRunner} and {@link ChangeRunner} run statements, {@link StatementFrame} is what
 * surrounds each, {@link TransactionModes} and {@link SessionTransaction} are its transactions,
 * {@link SessionPlanCache} what it has prepared.
 */
final class LocalSession implements Session {
  private final LocalDatabase database;
  private final long id;
  private final String user;
  private final SessionMutex sessionMutex;
  private final HeldMetadataLocks metadataLocks = new HeldMetadataLocks();
  private final SessionTransaction control;
  private final TransactionModes modes;
  private final SessionPlanCache plans;
  private final StatementFrame frame;
  private final QueryRunner queries;
  private final ChangeRunner changes;

  LocalSession(LocalDatabase database, long id, SessionOptions options) {
    this.database = database;
    this.id = id;
    this.user = options.user();
    this.sessionMutex = new SessionMutex(database);
    this.control =
        new SessionTransaction(
            database.engine(), metadataLocks, options.conflictPolicy(), options.lockTimeout());
    this.plans = new SessionPlanCache(database, options.isolation(), options.schema());
    this.modes = new TransactionModes(control, plans, options.isolation(), options.readOnly());
    this.frame = new StatementFrame(sessionMutex, control, modes, plans, options.queryTimeout());
    this.queries = new QueryRunner(sessionMutex, frame, environment());
    this.changes = new ChangeRunner(database, sessionMutex, frame, control, modes);
  }

  /** Does something of the rarer kind in an open session. */
  private void inside(Runnable action) {
    sessionMutex.enterOpen();
    try {
      action.run();
    } finally {
      sessionMutex.exit();
    }
  }

  HeldMetadataLocks metadataLocks() {
    return metadataLocks;
  }

  Environment environment() {
    return database.engine().environment();
  }

  Transaction transaction() {
    return frame.transaction();
  }

  String user() {
    return user;
  }

  /** The statement being run, null if none is. */
  String runningSql() {
    return frame.runningSql();
  }

  /** Whether it waits just now for what another session holds; any thread. */
  boolean isWaiting() {
    return changes.isRetrying() || transaction().isWaiting();
  }

  @Override
  public LocalDatabase database() {
    return database;
  }

  @Override
  public long id() {
    return id;
  }

  // Statements.

  @Override
  public PreparedStatementPlan prepare(String sql) {
    sessionMutex.enterOpen();
    try {
      return plans.compile(sql);
    } finally {
      sessionMutex.exit();
    }
  }

  @Override
  public StatementExecution newExecution(PreparedStatementPlan plan) {
    sessionMutex.enterOpen();
    try {
      CachedStatement cachedStatement = (CachedStatement) plan;
      LocalExecution rested = plans.takeIdle(cachedStatement);
      return rested != null ? rested : new LocalExecution(this, cachedStatement);
    } finally {
      sessionMutex.exit();
    }
  }

  void giveBack(LocalExecution execution) {
    if (!sessionMutex.isClosed()) {
      plans.giveBack(execution);
    }
  }

  /** The plan itself if it is still good, else a new one of the same text. */
  CachedStatement current(CachedStatement cachedStatement) {
    return plans.current(cachedStatement);
  }

  void countVerbs() {
    frame.countVerbs();
  }

  QueryRunner queries() {
    return queries;
  }

  ChangeRunner changes() {
    return changes;
  }

  /** Runs an INSERT for many rows of parameters; false if each is to be run on its own. */
  boolean insertMany(LocalExecution execution, int rows, IntConsumer setRow) {
    sessionMutex.enterOpen();
    try {
      return changes.insertMany(execution, rows, setRow);
    } finally {
      frame.running(null);
      sessionMutex.exit();
    }
  }

  /** Runs what returns no rows: a change, DDL or a command. */
  long update(LocalExecution execution) {
    sessionMutex.enterOpen();
    try {
      CachedStatement cachedStatement = execution.cachedStatement();
      return switch (cachedStatement.kind().category()) {
        case UPDATE -> changes.run(execution);
        case DDL -> {
          changeSchema(cachedStatement);
          yield 0;
        }
        default -> {
          new SessionCommands(this).run(cachedStatement.command());
          yield 0;
        }
      };
    } finally {
      frame.running(null);
      sessionMutex.exit();
    }
  }

  private void changeSchema(CachedStatement cachedStatement) {
    control.checkNotFailed();
    if (modes.readOnly()) {
      throw new NelumboException(
          ErrorCode.READ_ONLY_TRANSACTION, "the session is read-only; call setReadOnly(false)");
    }
    frame.commit();
    frame.running(cachedStatement.sql());
    database
        .schemaChanges()
        .run(
            StatementCompiler.parse(cachedStatement.sql()),
            plans.schema(),
            control.lockTimeoutNanos());
  }

  // Transactions.

  @Override
  public boolean autoCommit() {
    return modes.autoCommit();
  }

  @Override
  public void setAutoCommit(boolean on) {
    inside(
        () -> {
          if (on != modes.autoCommit()) {
            frame.commit();
          }
          modes.setAutoCommit(on);
        });
  }

  @Override
  public boolean inTransaction() {
    return modes.inTransaction();
  }

  @Override
  public void startTransaction() {
    inside(
        () -> {
          if (modes.autoCommit() && !frame.results().isEmpty()) {
            frame.detachResults();
          }
          modes.start();
        });
  }

  @Override
  public void commit() {
    sessionMutex.enterOpen();
    try {
      frame.commit();
    } finally {
      sessionMutex.exit();
    }
  }

  @Override
  public void rollback() {
    sessionMutex.enterOpen();
    try {
      frame.rollback();
    } finally {
      sessionMutex.exit();
    }
  }

  /** START TRANSACTION with what it says about the transaction. */
  void start(Isolation level, Boolean isReadOnly) {
    startTransaction();
    modes.setNext(level, isReadOnly);
  }

  /** SET TRANSACTION: for the next transaction. */
  void setNext(Isolation level, Boolean isReadOnly) {
    modes.setNext(level, isReadOnly);
  }

  @Override
  public Savepoint setSavepoint(String nameOrNull) {
    sessionMutex.enterOpen();
    try {
      control.checkNotFailed();
      if (!transaction().isActive()) {
        control.begin(modes.nextIsolation(), modes.nextReadOnly());
      }
      return control.setSavepoint(nameOrNull);
    } finally {
      sessionMutex.exit();
    }
  }

  @Override
  public void rollbackTo(Savepoint savepoint) {
    inside(
        () -> {
          control.checkNotFailed();
          frame.results().closeAll();
          control.rollbackTo(savepoint);
        });
  }

  @Override
  public void release(Savepoint savepoint) {
    inside(
        () -> {
          control.checkNotFailed();
          control.release(savepoint);
        });
  }

  // Settings.

  @Override
  public Isolation isolation() {
    return modes.isolation();
  }

  @Override
  public void setIsolation(Isolation level) {
    inside(() -> modes.setIsolation(level));
  }

  @Override
  public boolean readOnly() {
    return modes.readOnly();
  }

  @Override
  public void setReadOnly(boolean on) {
    inside(() -> modes.setReadOnly(on));
  }

  @Override
  public String schema() {
    return plans.schema();
  }

  @Override
  public void setSchema(String name) {
    inside(() -> plans.setSchema(name));
  }

  @Override
  public Duration queryTimeout() {
    return frame.queryTimeout();
  }

  @Override
  public void setQueryTimeout(Duration timeout) {
    frame.setQueryTimeout(timeout);
  }

  @Override
  public Duration lockTimeout() {
    return Duration.ofNanos(control.lockTimeoutNanos());
  }

  @Override
  public void setLockTimeout(Duration timeout) {
    inside(() -> control.setLockTimeout(timeout));
  }

  @Override
  public FabricCounters counters() {
    return control.counters();
  }

  // The end.

  @Override
  public boolean isValid() {
    return !sessionMutex.isClosed() && !sessionMutex.isAborted() && database.isOpen();
  }

  @Override
  public boolean isClosed() {
    return sessionMutex.isClosed();
  }

  @Override
  public void cancel() {
    frame.cancel();
  }

  @Override
  public void abort() {
    sessionMutex.abort();
    cancel();
    close();
  }

  /** No statement begins any more, and what is running is to stop; any thread. */
  void abandon() {
    sessionMutex.abort();
    cancel();
  }

  @Override
  public void close() {
    sessionMutex.enterUninterruptibly();
    try {
      if (sessionMutex.isClosed()) {
        return;
      }
      sessionMutex.close();
      if (database.isAbandoned()) {
        control.abandon();
      } else {
        frame.results().closeAll();
        plans.forget();
        control.rollback();
        control.close();
      }
      database.removed(this);
    } finally {
      sessionMutex.exit();
    }
  }
}
