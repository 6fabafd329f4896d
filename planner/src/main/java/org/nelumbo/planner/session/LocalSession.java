package org.nelumbo.planner.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.FabricCounters;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Anticipation;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.PreparedStatementPlan;
import org.nelumbo.planner.Savepoint;
import org.nelumbo.planner.Session;
import org.nelumbo.planner.SessionOptions;
import org.nelumbo.planner.StatementExecution;
import org.nelumbo.planner.StatementKind;
import org.nelumbo.planner.catalog.GatePass;

/**
 * A session of a {@link LocalDatabase}.
 *
 * <p>Rules about results: rows are read from the transaction as they are asked for. Commit and
 * rollback close open results. In auto-commit mode a statement ends its own transaction; if the
 * result of another is still open then, what is left of it is read into memory first.
 */
final class LocalSession implements Session {
  private static final int REMEMBERED_PLANS = 512;
  private static final int IDLE_EXECUTIONS = 128;

  private final LocalDatabase database;
  private final long id;
  private final String user;
  private final Guard guard = new Guard();
  private final GatePass pass = new GatePass();
  private final TransactionControl control;

  /** Another one only from {@link #countVerbs} on; read by other threads that cancel it. */
  private Transaction transaction;

  private Anticipation anticipation;
  private final Map<String, Compiled> plans = new HashMap<>();
  private final Map<Compiled, LocalExecution> idle = new HashMap<>();
  private final List<LocalExecution> streaming = new ArrayList<>();
  private long plansVersion;
  private boolean autoCommit = true;
  private Isolation isolation;
  private boolean readOnly;
  private boolean nextReadOnly;
  private Isolation nextIsolation;

  /** The isolation that statements are planned for: that of the transaction, or of the next one. */
  private Isolation planIsolation;

  /** Auto-commit is off until START TRANSACTION's transaction ends. */
  private boolean started;

  private String schema;
  private Duration queryTimeout;
  private volatile boolean closed;
  private volatile boolean aborted;
  private volatile boolean retrying;
  private volatile String runningSql;

  LocalSession(LocalDatabase database, long id, SessionOptions options) {
    this.database = database;
    this.id = id;
    this.user = options.user();
    this.isolation = options.isolation();
    this.planIsolation = isolation;
    this.readOnly = options.readOnly();
    this.schema = options.schema();
    this.queryTimeout = options.queryTimeout();
    this.control =
        new TransactionControl(
            database.engine(), pass, options.conflictPolicy(), options.lockTimeout());
    this.transaction = control.transaction();
    this.anticipation = transaction.newAnticipation();
  }

  GatePass pass() {
    return pass;
  }

  Environment environment() {
    return database.engine().environment();
  }

  Transaction transaction() {
    return transaction;
  }

  String user() {
    return user;
  }

  /** The statement being run, null if none is. */
  String runningSql() {
    return runningSql;
  }

  /** Whether it waits just now for what another session holds; any thread. */
  boolean isWaiting() {
    return retrying || transaction.isWaiting();
  }

  @Override
  public LocalDatabase database() {
    return database;
  }

  @Override
  public long id() {
    return id;
  }

  private void checkOpen() {
    if (closed || aborted) {
      throw new NelumboException(
          database.isOpen() ? ErrorCode.CONNECTION_CLOSED : ErrorCode.SHUT_DOWN,
          database.isOpen() ? "the session is closed" : "the database has been shut down");
    }
  }

  // Plans.

  @Override
  public PreparedStatementPlan prepare(String sql) {
    guard.enter();
    try {
      checkOpen();
      return compile(sql);
    } finally {
      guard.exit();
    }
  }

  private Compiled compile(String sql) {
    long version = database.catalogVersion();
    if (version != plansVersion) {
      forgetPlans();
      plansVersion = version;
    }
    Compiled known = plans.get(sql);
    if (known != null) {
      return known;
    }
    Compiled compiled = database.compiler().compile(sql, schema, planIsolation);
    if (plans.size() >= REMEMBERED_PLANS) {
      plans.clear();
    }
    plans.put(sql, compiled);
    return compiled;
  }

  private void forgetPlans() {
    plans.clear();
    idle.clear();
  }

  /** The plan itself if it is still good, else a new one of the same text. */
  Compiled current(Compiled compiled) {
    return isCurrent(compiled) ? compiled : compile(compiled.sql());
  }

  private boolean isCurrent(Compiled compiled) {
    return compiled.version() == database.catalogVersion() && compiled.isolation() == planIsolation;
  }

  private void planFor(Isolation level) {
    if (level != planIsolation) {
      planIsolation = level;
      forgetPlans();
    }
  }

  @Override
  public StatementExecution newExecution(PreparedStatementPlan plan) {
    guard.enter();
    try {
      checkOpen();
      Compiled compiled = (Compiled) plan;
      LocalExecution reused = idle.remove(compiled);
      return reused != null ? reused : new LocalExecution(this, compiled);
    } finally {
      guard.exit();
    }
  }

  void giveBack(LocalExecution execution) {
    if (!closed && idle.size() < IDLE_EXECUTIONS && !execution.compiled().analyze()) {
      idle.put(execution.compiled(), execution);
    }
  }

  // Running statements.

  void query(LocalExecution execution) {
    guard.enter();
    try {
      checkOpen();
      closeRows(execution);
      arm(execution);
      Compiled compiled = begin(execution, execution.compiled().readOnly());
      boolean opened = false;
      try {
        if (compiled.kind() == StatementKind.EXPLAIN) {
          explain(execution);
        } else {
          execution.execution().open(transaction);
          execution.opened();
          streaming.add(execution);
        }
        opened = true;
      } catch (NelumboException e) {
        opened = true;
        throw failed(e, false, 0);
      } finally {
        if (!opened) {
          failed(internal(), false, 0);
        }
      }
    } finally {
      runningSql = null;
      guard.exit();
    }
  }

  private static NelumboException internal() {
    return new NelumboException(ErrorCode.INTERNAL, "the statement failed for an internal reason");
  }

  private void explain(LocalExecution execution) {
    Explanation explanation = new Explanation(environment(), transaction);
    if (execution.compiled().analyze()) {
      long mark = transaction.savepoint();
      boolean done = false;
      try {
        explanation.analyze(execution.execution());
        done = true;
      } finally {
        if (!done) {
          transaction.rollbackTo(mark);
        }
      }
      explanation.analyzeEnd(() -> end(true));
    } else {
      explanation.show(execution.compiled().physical().plan().explain());
      end(true);
    }
    execution.opened(new BufferedRows(explanation.lines()));
  }

  /** Counts verbs from the next transaction on, for EXPLAIN ANALYZE. */
  void countVerbs() {
    if (control.countVerbs()) {
      transaction = control.transaction();
      anticipation = transaction.newAnticipation();
    }
  }

  boolean next(LocalExecution execution, boolean wanted) {
    guard.enter();
    try {
      checkOpen();
      if (wanted && execution.execution().next()) {
        return true;
      }
      closeRows(execution);
      return false;
    } catch (NelumboException e) {
      streaming.remove(execution);
      execution.closed();
      throw failed(e, false, 0);
    } finally {
      guard.exit();
    }
  }

  void closeRows(LocalExecution execution) {
    guard.enter();
    try {
      if (!execution.isOpen()) {
        return;
      }
      boolean streamed = execution.isStreaming();
      if (streamed) {
        execution.execution().close();
        streaming.remove(execution);
      }
      execution.closed();
      if (streamed && !closed) {
        end(streaming.isEmpty());
      }
    } finally {
      guard.exit();
    }
  }

  long update(LocalExecution execution) {
    guard.enter();
    try {
      checkOpen();
      Compiled compiled = execution.compiled();
      return switch (compiled.kind()) {
        case UPDATE -> change(execution);
        case DDL -> {
          changeSchema(compiled);
          yield 0;
        }
        default -> {
          new SessionCommands(this).run(compiled.command());
          yield 0;
        }
      };
    } finally {
      runningSql = null;
      guard.exit();
    }
  }

  /**
   * Runs a change; in auto-commit mode one that loses against another transaction is run again, as
   * long as it could have waited for a lock.
   */
  private long change(LocalExecution execution) {
    arm(execution);
    try {
      return changeOnce(execution);
    } catch (NelumboException e) {
      if (!mayRunAgain(e)) {
        throw e;
      }
      retrying = true;
      try {
        return changeAgain(execution, e);
      } finally {
        retrying = false;
      }
    }
  }

  private boolean mayRunAgain(NelumboException e) {
    return autoCommit && e.code() == ErrorCode.SERIALIZATION_FAILURE && control.waits();
  }

  /** The runs after the first; a request to stop and the time limit are those of the first. */
  private long changeAgain(LocalExecution execution, NelumboException first) {
    long start = environment().nanoTime();
    NelumboException last = first;
    for (int attempt = 0;
        environment().nanoTime() - start < control.lockTimeoutNanos();
        attempt++) {
      environment().backoff(attempt);
      if (transaction.interruption().isSet()) {
        throw transaction.failure(Transaction.CANCELLED);
      }
      try {
        return changeOnce(execution);
      } catch (NelumboException e) {
        if (!mayRunAgain(e)) {
          throw e;
        }
        last = e;
      }
    }
    throw last;
  }

  /**
   * Only within a transaction that has the statement's tables already: nothing is to be begun for a
   * hint.
   */
  boolean anticipate(LocalExecution execution) {
    guard.enter();
    try {
      Compiled compiled = execution.compiled();
      boolean useful =
          !autoCommit
              && compiled.version() == database.catalogVersion()
              && control.isInside(compiled.tables());
      if (useful) {
        execution.execution().anticipate(anticipation);
      }
      return useful && !anticipation.isFull();
    } finally {
      guard.exit();
    }
  }

  private long changeOnce(LocalExecution execution) {
    execution.clearKeys();
    begin(execution, false);
    anticipation.fetch();
    long mark = transaction.savepoint();
    boolean done = false;
    try {
      long count =
          execution.keepsKeys()
              ? execution.insertKeepingKeys()
              : execution.execution().executeUpdate(transaction);
      done = true;
      end(true);
      return count;
    } catch (NelumboException e) {
      done = true;
      throw failed(e, true, mark);
    } finally {
      if (!done) {
        failed(internal(), true, mark);
      }
    }
  }

  /** Makes sure that the plan is good, its tables are entered, and a transaction is active. */
  private Compiled begin(LocalExecution execution, boolean statementReadOnly) {
    control.checkNotFailed();
    if (autoCommit && !streaming.isEmpty()) {
      detachAll();
    }
    Compiled compiled = execution.compiled();
    boolean entered = false;
    try {
      while (true) {
        control.enter(compiled.tables());
        if (isCurrent(compiled)) {
          break;
        }
        control.leaveIfIdle();
        compiled = execution.refresh();
      }
      entered = true;
    } finally {
      if (!entered) {
        control.leaveIfIdle();
      }
    }
    boolean readOnlyTransaction = readOnly || nextReadOnly;
    if (!statementReadOnly && readOnlyTransaction && !compiled.readOnly()) {
      control.leaveIfIdle();
      throw new NelumboException(
          ErrorCode.READ_ONLY_TRANSACTION,
          "the transaction is read-only; call setReadOnly(false) before it begins");
    }
    if (!transaction.isActive()) {
      Isolation level = nextIsolation == null ? isolation : nextIsolation;
      control.begin(level, readOnlyTransaction || (autoCommit && compiled.readOnly()));
    } else {
      NelumboException outdated = control.outdated(compiled.tables());
      if (outdated != null) {
        throw failed(outdated, false, 0);
      }
    }
    runningSql = compiled.sql();
    return compiled;
  }

  /** A statement begins: from now on it can be cancelled, and its time runs. */
  private void arm(LocalExecution execution) {
    long timeout = execution.timeoutNanos() > 0 ? execution.timeoutNanos() : queryTimeout.toNanos();
    transaction.interruption().arm(timeout);
    if (aborted) {
      transaction.interruption().cancel();
    }
  }

  /** A statement has come to its end. */
  private void end(boolean last) {
    if (autoCommit && last && transaction.isActive()) {
      transactionEnds();
      control.commit();
    } else {
      transaction.pause();
    }
  }

  /** A statement has failed: takes back what it did, or the whole transaction if that failed. */
  private NelumboException failed(NelumboException error, boolean changed, long mark) {
    boolean whole =
        error.code() == ErrorCode.SERIALIZATION_FAILURE
            || error.code() == ErrorCode.CANCELLED
            || error.code() == ErrorCode.INTERNAL;
    if (autoCommit || whole) {
      closeStreaming();
      transactionEnds();
      if (autoCommit) {
        control.rollback();
      } else {
        control.fail(error);
      }
    } else if (changed) {
      transaction.rollbackTo(mark);
      transaction.pause();
    }
    return error;
  }

  private void changeSchema(Compiled compiled) {
    control.checkNotFailed();
    if (readOnly) {
      throw new NelumboException(
          ErrorCode.READ_ONLY_TRANSACTION, "the session is read-only; call setReadOnly(false)");
    }
    commit();
    runningSql = compiled.sql();
    database
        .schemaChanges()
        .run(database.compiler().parse(compiled.sql()), schema, control.lockTimeoutNanos());
  }

  private void detachAll() {
    for (LocalExecution execution : List.copyOf(streaming)) {
      execution.detach();
    }
    streaming.clear();
    transactionEnds();
    control.commit();
  }

  private void closeStreaming() {
    for (LocalExecution execution : streaming) {
      execution.execution().close();
      execution.closed();
    }
    streaming.clear();
  }

  private void transactionEnds() {
    nextReadOnly = false;
    if (nextIsolation != null) {
      nextIsolation = null;
      planFor(isolation);
    }
  }

  // Transactions.

  @Override
  public boolean autoCommit() {
    return autoCommit;
  }

  @Override
  public void setAutoCommit(boolean on) {
    guard.enter();
    try {
      checkOpen();
      if (on != autoCommit) {
        commit();
        autoCommit = on;
      }
      started = false;
    } finally {
      guard.exit();
    }
  }

  @Override
  public boolean inTransaction() {
    return started || control.isActive();
  }

  @Override
  public void commit() {
    guard.enter();
    try {
      checkOpen();
      closeStreaming();
      transactionEnds();
      control.commit();
    } finally {
      startedEnds();
      guard.exit();
    }
  }

  private void startedEnds() {
    if (started) {
      started = false;
      autoCommit = true;
    }
  }

  @Override
  public void rollback() {
    guard.enter();
    try {
      checkOpen();
      closeStreaming();
      transactionEnds();
      control.rollback();
    } finally {
      startedEnds();
      guard.exit();
    }
  }

  /** START TRANSACTION: in auto-commit mode that is off until the transaction ends. */
  void start(Isolation level, Boolean isReadOnly) {
    if (autoCommit && !streaming.isEmpty()) {
      detachAll();
    }
    if (inTransaction()) {
      throw new NelumboException(
          ErrorCode.TRANSACTION_ACTIVE,
          "a transaction is in progress; commit or roll it back first");
    }
    setNext(level, isReadOnly);
    started = autoCommit;
    autoCommit = false;
  }

  /** SET TRANSACTION: for the next transaction. */
  void setNext(Isolation level, Boolean isReadOnly) {
    checkIdle();
    nextIsolation = level;
    planFor(level == null ? isolation : level);
    nextReadOnly = Boolean.TRUE.equals(isReadOnly);
  }

  private void checkIdle() {
    if (control.isActive()) {
      throw new NelumboException(
          ErrorCode.TRANSACTION_ACTIVE,
          "this cannot be changed while a transaction is in progress; commit or roll back first");
    }
  }

  @Override
  public Savepoint setSavepoint(String nameOrNull) {
    guard.enter();
    try {
      checkOpen();
      control.checkNotFailed();
      if (!transaction.isActive()) {
        control.begin(nextIsolation == null ? isolation : nextIsolation, readOnly || nextReadOnly);
      }
      return control.setSavepoint(nameOrNull);
    } finally {
      guard.exit();
    }
  }

  @Override
  public void rollbackTo(Savepoint savepoint) {
    guard.enter();
    try {
      checkOpen();
      control.checkNotFailed();
      closeStreaming();
      control.rollbackTo(savepoint);
    } finally {
      guard.exit();
    }
  }

  @Override
  public void release(Savepoint savepoint) {
    guard.enter();
    try {
      checkOpen();
      control.checkNotFailed();
      control.release(savepoint);
    } finally {
      guard.exit();
    }
  }

  // Settings.

  @Override
  public Isolation isolation() {
    return isolation;
  }

  @Override
  public void setIsolation(Isolation level) {
    guard.enter();
    try {
      checkOpen();
      if (level != isolation) {
        checkIdle();
        isolation = level;
        nextIsolation = null;
        planFor(level);
      }
    } finally {
      guard.exit();
    }
  }

  @Override
  public boolean readOnly() {
    return readOnly;
  }

  @Override
  public void setReadOnly(boolean on) {
    guard.enter();
    try {
      checkOpen();
      if (on != readOnly) {
        checkIdle();
        readOnly = on;
      }
    } finally {
      guard.exit();
    }
  }

  @Override
  public String schema() {
    return schema;
  }

  @Override
  public void setSchema(String name) {
    guard.enter();
    try {
      checkOpen();
      database.checkSchema(name);
      schema = name;
      forgetPlans();
    } finally {
      guard.exit();
    }
  }

  @Override
  public Duration queryTimeout() {
    return queryTimeout;
  }

  @Override
  public void setQueryTimeout(Duration timeout) {
    queryTimeout = timeout;
  }

  @Override
  public Duration lockTimeout() {
    return Duration.ofNanos(control.lockTimeoutNanos());
  }

  @Override
  public void setLockTimeout(Duration timeout) {
    guard.enter();
    try {
      checkOpen();
      control.setLockTimeout(timeout);
    } finally {
      guard.exit();
    }
  }

  @Override
  public FabricCounters counters() {
    return control.counters();
  }

  // The end.

  @Override
  public boolean isValid() {
    return !closed && !aborted && database.isOpen();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void cancel() {
    transaction.interruption().cancel();
  }

  @Override
  public void abort() {
    aborted = true;
    cancel();
    close();
  }

  @Override
  public void close() {
    guard.enterUninterruptibly();
    try {
      if (closed) {
        return;
      }
      closed = true;
      closeStreaming();
      forgetPlans();
      control.rollback();
      control.close();
      database.removed(this);
    } finally {
      guard.exit();
    }
  }
}
