package org.nelumbo.database.session;

import java.time.Duration;
import org.nelumbo.database.EmbeddedSession;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.database.plancache.SessionPlanCache;
import org.nelumbo.database.workload.StatementTimer;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.limit.MemoryBudget;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.PreparedStatementPlan;
import org.nelumbo.session.Savepoint;
import org.nelumbo.session.SessionOptions;
import org.nelumbo.session.StatementExecution;

/**
 * A session of a database in this process. It assembles its parts, and the {@link SessionMutex}
 * admits one thread at a time to them. {@link StatementRunner} and {@link SessionCommands} run
 * statements, {@link SessionTransaction} is the transaction, {@link SessionPlanCache} has the
 * prepared statements.
 */
public final class LocalSession implements EmbeddedSession {
  private final SessionContext context;
  private final long id;
  private final String user;
  private final Runnable onClose;
  private final SessionMutex sessionMutex;
  private final SessionPlanCache plans;
  private final SessionTransaction sessionTransaction;
  private final StatementRunner runner;
  private final SessionCommands commands;
  private final TemporaryTables temporaryTables;
  private final IdleExecutions idle;

  /**
   * Creates a session.
   *
   * @param coordinator closed with the session
   * @param onClose runs after the session is closed
   */
  LocalSession(
      SessionContext context,
      Coordinator coordinator,
      long id,
      SessionOptions options,
      Runnable onClose) {
    this.context = context;
    this.id = id;
    this.user = options.user();
    this.onClose = onClose;
    this.sessionMutex = new SessionMutex(context.environment(), context.database());
    this.plans =
        new SessionPlanCache(
            context.catalog(), context.planCache(), options.isolation(), options.schema());
    this.sessionTransaction =
        new SessionTransaction(
            context,
            coordinator,
            plans,
            options.isolation(),
            options.readOnly(),
            timer(context, options));
    sessionTransaction.setMemory(
        MemoryBudget.ofJvm().newPart("maxSessionMemory", share(options.maxSessionMemory(), 4)),
        share(options.maxStatementMemory(), 8));
    sessionTransaction.setConflictPolicy(options.conflictPolicy(), options.lockTimeout());
    this.runner =
        new StatementRunner(
            context.environment(), sessionMutex, sessionTransaction, plans, options.queryTimeout());
    SessionProperties properties =
        new SessionProperties(id, options, context.catalog(), sessionTransaction, plans, runner);
    this.temporaryTables = new TemporaryTables(context, plans, runner, sessionTransaction);
    this.commands =
        new SessionCommands(
            context, sessionMutex, sessionTransaction, plans, runner, properties, temporaryTables);
    this.idle = new IdleExecutions(plans);
  }

  private static long share(long given, int part) {
    return given > 0 ? given : Runtime.getRuntime().maxMemory() / part;
  }

  private static StatementTimer timer(SessionContext context, SessionOptions options) {
    return context.monitor().newTimer(options.slowQuery().toNanos());
  }

  private void inside(Runnable action) {
    sessionMutex.enterOpen();
    try {
      action.run();
    } finally {
      sessionMutex.exit();
    }
  }

  /** Returns the metadata locks that the session holds. Any thread may call it. */
  HeldMetadataLocks metadataLocks() {
    return sessionTransaction.metadataLocks();
  }

  public Transaction transaction() {
    return sessionTransaction.transaction();
  }

  public String user() {
    return user;
  }

  /** Returns the running statement, or null if none runs. Any thread may call it. */
  public String runningSql() {
    CachedStatement running = runner.running();
    return running == null ? null : running.sql();
  }

  /** Returns true if the session is running a cached statement. Any thread may call it. */
  public boolean isRunning(CachedStatement statement) {
    CachedStatement running = runner.running();
    return running != null && running.shared().equals(statement);
  }

  /** Returns the heap budget of the statements and the transaction. Any thread may call it. */
  public MemoryBudget memory() {
    return sessionTransaction.memory();
  }

  /**
   * Returns true if the session waits for a lock or retries a statement. Any thread may call it.
   */
  public boolean isWaiting() {
    return runner.isRetrying() || transaction().isWaiting();
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
      CachedStatement known = plans.known(sql);
      if (known == null) {
        runner.arm(0, null);
        known = runner.plan(sql);
      }
      return known;
    } finally {
      sessionMutex.exit();
    }
  }

  @Override
  public PreparedStatementPlan prepare(String sql, long timeoutNanos, Object owner) {
    runner.enter(timeoutNanos, owner);
    try {
      runner.arm(timeoutNanos, owner);
      return runner.plan(sql);
    } finally {
      sessionMutex.exit();
    }
  }

  @Override
  public StatementExecution newExecution(PreparedStatementPlan plan) {
    return newExecution(plan, 0, null);
  }

  @Override
  public StatementExecution newExecution(
      PreparedStatementPlan plan, long timeoutNanos, Object owner) {
    runner.enter(timeoutNanos, owner);
    try {
      CachedStatement statement = (CachedStatement) plan;
      LocalExecution rested = idle.take(statement);
      LocalExecution execution =
          rested != null ? rested : new LocalExecution(runner, commands, statement, this::giveBack);
      execution.setOwner(owner);
      return execution;
    } finally {
      sessionMutex.exit();
    }
  }

  /**
   * Another thread may be inside, for example to close the session. The execution is not reused
   * then.
   */
  private void giveBack(LocalExecution execution) {
    if (sessionMutex.tryEnter()) {
      try {
        if (!sessionMutex.isClosed()) {
          idle.put(execution);
        }
      } finally {
        sessionMutex.exit();
      }
    }
  }

  // Transactions.

  @Override
  public boolean autoCommit() {
    return sessionTransaction.autoCommit();
  }

  @Override
  public void setAutoCommit(boolean on) {
    inside(
        () -> {
          runner.arm(0, null);
          sessionTransaction.setAutoCommit(on);
        });
  }

  @Override
  public boolean inTransaction() {
    return sessionTransaction.inTransaction();
  }

  @Override
  public void startTransaction() {
    inside(sessionTransaction::start);
  }

  @Override
  public void fail(NelumboException error) {
    sessionMutex.enterUninterruptibly();
    try {
      if (!sessionMutex.isClosed()) {
        sessionTransaction.fail(error);
      }
    } finally {
      sessionMutex.exit();
    }
  }

  /**
   * Returns true if other compute nodes wait for the end of the transaction. Any thread may call
   * it.
   */
  boolean isAwaited() {
    return transaction().mustEnd();
  }

  /**
   * Ends a transaction for which other compute nodes wait, unless a thread is working in it. Any
   * thread may call it.
   *
   * @param why the error for the next statement of the transaction
   * @return true if the transaction was ended
   */
  boolean endIdle(NelumboException why) {
    if (!sessionMutex.tryEnter()) {
      return false;
    }
    try {
      boolean isIdle = !sessionMutex.isClosed() && transaction().isActive() && isAwaited();
      if (isIdle) {
        sessionTransaction.fail(why);
      }
      return isIdle;
    } finally {
      sessionMutex.exit();
    }
  }

  @Override
  public void commit() {
    sessionMutex.enterOpen();
    try {
      runner.arm(0, null);
      sessionTransaction.commit();
    } finally {
      sessionMutex.exit();
    }
  }

  @Override
  public void rollback() {
    sessionMutex.enterOpen();
    try {
      sessionTransaction.rollback();
    } finally {
      sessionMutex.exit();
    }
  }

  @Override
  public Savepoint setSavepoint(String nameOrNull) {
    sessionMutex.enterOpen();
    try {
      return sessionTransaction.setSavepoint(nameOrNull);
    } finally {
      sessionMutex.exit();
    }
  }

  @Override
  public void rollbackTo(Savepoint savepoint) {
    inside(() -> sessionTransaction.rollbackTo(savepoint));
  }

  @Override
  public void release(Savepoint savepoint) {
    inside(() -> sessionTransaction.release(savepoint));
  }

  // Settings.

  @Override
  public Isolation isolation() {
    return sessionTransaction.isolation();
  }

  @Override
  public void setIsolation(Isolation level) {
    inside(() -> sessionTransaction.setIsolation(level));
  }

  @Override
  public boolean readOnly() {
    return sessionTransaction.readOnly();
  }

  @Override
  public void setReadOnly(boolean on) {
    inside(() -> sessionTransaction.setReadOnly(on));
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
  public void setQueryTimeout(Duration timeout) {
    runner.setQueryTimeout(timeout);
  }

  @Override
  public Duration lockTimeout() {
    return Duration.ofNanos(sessionTransaction.lockTimeoutNanos());
  }

  @Override
  public void setLockTimeout(Duration timeout) {
    inside(() -> sessionTransaction.setLockTimeout(timeout));
  }

  @Override
  public FabricCounters counters() {
    return sessionTransaction.counters();
  }

  // Closing.

  @Override
  public boolean isValid() {
    return !sessionMutex.isClosed() && !sessionMutex.isAborted() && context.database().isOpen();
  }

  @Override
  public void cancel() {
    runner.cancel();
  }

  @Override
  public void cancel(Object owner) {
    runner.cancel(owner);
  }

  @Override
  public void lock() {
    sessionMutex.enterOpen();
  }

  @Override
  public void unlock() {
    sessionMutex.exit();
  }

  @Override
  public void abort() {
    sessionMutex.abort();
    cancel();
    close();
  }

  /** Rejects new statements and stops the running one. Any thread may call it. */
  void abandon() {
    sessionMutex.abort();
    cancel();
  }

  private void closeParts() {
    if (context.isAbandoned()) {
      sessionTransaction.abandon();
      return;
    }
    try {
      plans.clear();
      idle.clear();
    } finally {
      closeTransaction();
    }
  }

  private void closeTransaction() {
    try {
      sessionTransaction.rollbackNow();
      temporaryTables.close();
    } finally {
      sessionTransaction.close();
    }
  }

  @Override
  public void close() {
    sessionMutex.enterUninterruptibly();
    try {
      if (sessionMutex.isClosed()) {
        return;
      }
      sessionMutex.close();
      try {
        closeParts();
      } finally {
        onClose.run();
      }
    } finally {
      sessionMutex.exit();
    }
  }
}
