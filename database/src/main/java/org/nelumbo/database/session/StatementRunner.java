package org.nelumbo.database.session;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.database.plancache.SessionPlanCache;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.parser.ast.ExplainOptions;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.session.StatementKind.Category;
import org.nelumbo.types.ColumnType;

/**
 * Runs the statements of a session that have a plan: queries, changes of rows, and EXPLAIN of both.
 * Used by one thread at a time, except where stated.
 *
 * <p>Each run of a statement has these steps:
 *
 * <ol>
 *   <li>{@link #arm}: from now on it can be cancelled, and its time limit runs.
 *   <li>{@link #begin}: in auto-commit mode the results of other statements are detached; the
 *       metadata of the tables is locked; the plan is renewed if the catalog has changed; a
 *       transaction begins if none is active.
 *   <li>The plan runs; a query returns a row for each call of {@link #next}.
 *   <li>The statement ends, which commits in auto-commit mode. If it has failed, its changes are
 *       undone, or the transaction is rolled back ({@code SessionTransaction.failed}).
 * </ol>
 *
 * <p>In auto-commit mode a change that loses a conflict is retried for as long as it could have
 * waited for a lock. In both modes a change that finds the pool full is retried while memory is
 * about to be freed; it has been undone, so it does not itself keep memory from being freed.
 */
final class StatementRunner {
  /**
   * Maximum time for retrying a change that found the pool full; each retry itself waits for a
   * while.
   */
  private static final long MEMORY_WAIT_NANOS = 2_000_000_000;

  private final Environment environment;
  private final SessionMutex sessionMutex;
  private final SessionTransaction sessionTransaction;
  private final SessionPlanCache plans;
  private final StatementLimits planning = new StatementLimits();
  private PrefetchHints prefetchHints;
  private Duration queryTimeout;
  private volatile CachedStatement running;
  private volatile boolean retrying;

  /** Owner of the latest armed statement that has not ended; written before its token is armed. */
  private Object owner;

  StatementRunner(
      Environment environment,
      SessionMutex sessionMutex,
      SessionTransaction sessionTransaction,
      SessionPlanCache plans,
      Duration queryTimeout) {
    this.environment = environment;
    this.sessionMutex = sessionMutex;
    this.sessionTransaction = sessionTransaction;
    this.plans = plans;
    this.queryTimeout = queryTimeout;
    this.prefetchHints = sessionTransaction.transaction().newPrefetchHints();
  }

  Duration queryTimeout() {
    return queryTimeout;
  }

  void setQueryTimeout(Duration timeout) {
    queryTimeout = timeout;
  }

  /**
   * Returns the statement that a thread is running, or null. A query runs while its reader fetches
   * the next row. Any thread may call it.
   */
  CachedStatement running() {
    return sessionMutex.isHeld() ? running : null;
  }

  void setRunning(CachedStatement statementOrNull) {
    running = statementOrNull;
  }

  /** Ends a command, which can no longer be cancelled. */
  void commandEnded() {
    running = null;
    owner = null;
  }

  /** Returns true while a change that lost a conflict waits for a retry. Any thread may call it. */
  boolean isRetrying() {
    return retrying;
  }

  /** Stops the statement in progress. Any thread may call it. */
  void cancel() {
    sessionTransaction.transaction().cancellation().cancel();
  }

  /** Stops the statement that an owner runs, or waits to run. Any thread may call it. */
  void cancel(Object whose) {
    sessionMutex.cancel(whose);
    CancellationToken token = sessionTransaction.transaction().cancellation();
    long statement = token.statement(); // read first: its owner was written before
    if (owner == whose) {
      token.cancel(statement);
    }
  }

  /** Creates a portal for the first run of a statement. */
  Portal newPortal(CachedStatement statement) {
    countVerbsFor(statement);
    return new Portal(environment, statement);
  }

  /**
   * Returns the plan of a text for the present catalog, compiled within the limits of this session.
   */
  CachedStatement plan(String sql) {
    try {
      return plans.compile(sql, planningLimits());
    } catch (NelumboException e) {
      throw sessionTransaction.notPlanned(e);
    }
  }

  /** Replans the statement of a portal for parameters of these types; rows being read are kept. */
  void setParameterTypes(Portal portal, List<ColumnType> types) {
    enter(portal);
    try {
      CachedStatement typed;
      try {
        arm(portal.timeoutNanos(), portal.owner());
        typed = plans.compile(portal.statement().sql(), types, planningLimits());
      } catch (NelumboException e) {
        throw sessionTransaction.notPlanned(e);
      }
      if (portal.isStreaming()) {
        portal.detach();
        sessionTransaction.results().remove(portal);
        sessionTransaction.endStatement();
      }
      portal.adopt(typed);
      countVerbsFor(typed);
    } finally {
      sessionMutex.exit();
    }
  }

  private StatementLimits planningLimits() {
    planning.start(sessionTransaction.transaction().limits());
    return planning;
  }

  /** Switches to counting verbs for EXPLAIN ANALYZE, from the next transaction on. */
  private void countVerbsFor(CachedStatement statement) {
    if (statement.analyze() && sessionTransaction.countVerbs()) {
      prefetchHints = sessionTransaction.transaction().newPrefetchHints();
    }
  }

  // Steps of all statements.

  /** Enters the session to run the statement of a portal, which can be stopped while it waits. */
  void enter(Portal portal) {
    enter(portal.timeoutNanos(), portal.owner());
  }

  /** Enters the session for the statement of an owner; timeout 0 means the session's limit. */
  void enter(long timeoutNanos, Object whose) {
    sessionMutex.enterOpen(whose, limit(timeoutNanos));
  }

  private long limit(long timeoutNanos) {
    return timeoutNanos > 0 ? timeoutNanos : queryTimeout.toNanos();
  }

  /**
   * Makes the statement cancellable and starts its time limit, unless it continues an armed
   * statement. A continuation is armed again if another thread's statement was armed meanwhile.
   */
  void arm(Portal portal) {
    if (!portal.takeContinues() || owner != portal.owner()) {
      arm(portal.timeoutNanos(), portal.owner());
    }
  }

  /** Makes a statement cancellable and starts its time limit; 0 means the session's limit. */
  void arm(long timeoutNanos, Object whose) {
    owner = whose;
    long timeout = limit(timeoutNanos);
    Transaction transaction = sessionTransaction.transaction();
    transaction.cancellation().arm(timeout);
    if (sessionMutex.isAborted()) {
      transaction.cancellation().cancel();
    }
  }

  private Transaction begin(Portal portal) {
    sessionTransaction.checkNotFailed();
    sessionTransaction.detachResults();
    CachedStatement statement = lockTables(portal);
    if (sessionTransaction.nextReadOnly() && !statement.readOnly()) {
      sessionTransaction.unlockIfIdle();
      throw new NelumboException(
          ErrorCode.READ_ONLY_TRANSACTION,
          "the transaction is read-only; call setReadOnly(false) before it begins");
    }
    Transaction transaction = sessionTransaction.transaction();
    if (!transaction.isActive()) {
      sessionTransaction.begin(statement.readOnly(), statement.readsOnce());
    } else {
      NelumboException outdated = sessionTransaction.outdated(statement.tables());
      if (outdated != null) {
        throw sessionTransaction.failed(outdated);
      }
    }
    running = statement;
    assert sessionTransaction.holds(statement.tables())
        : "tables not locked, sql=" + statement.sql();
    return transaction;
  }

  /** Replans the statement if its plan is then outdated. */
  private CachedStatement lockTables(Portal portal) {
    boolean locked = false;
    try {
      while (true) {
        sessionTransaction.lock(portal.statement().tables());
        if (plans.isCurrent(portal.statement())) {
          break;
        }
        sessionTransaction.unlockIfIdle();
        renew(portal);
      }
      locked = true;
    } finally {
      if (!locked) {
        sessionTransaction.unlockIfIdle();
      }
    }
    return portal.statement();
  }

  /** The cache returns the same object while the catalog is unchanged. */
  @SuppressWarnings("ReferenceEquality")
  private void renew(Portal portal) {
    CachedStatement fresh;
    try {
      fresh = keepingValues(portal, plans.current(portal.statement(), planningLimits()));
    } catch (NelumboException e) {
      throw sessionTransaction.notPlanned(e);
    }
    if (fresh != portal.statement()) {
      portal.adopt(fresh);
      countVerbsFor(fresh);
    }
  }

  /**
   * Where the type of a parameter has changed, the plan takes values of the old type and converts
   * them. If that is impossible, the values are dropped.
   */
  private CachedStatement keepingValues(Portal portal, CachedStatement fresh) {
    List<ParameterInfo> present = portal.statement().parameters();
    List<ParameterInfo> next = fresh.parameters();
    List<ColumnType> given = fresh.parameterTypes();
    if (present.size() != next.size()) {
      return fresh;
    }
    boolean changed = false;
    ColumnType[] types = new ColumnType[present.size()];
    for (int i = 0; i < types.length; i++) {
      ColumnType type = present.get(i).type();
      boolean same = includes(next.get(i).type(), type);
      types[i] = same ? (given.isEmpty() ? null : given.get(i)) : type;
      changed |= !same;
    }
    if (!changed) {
      return fresh;
    }
    try {
      return plans.compile(fresh.sql(), Arrays.asList(types), planningLimits());
    } catch (NelumboException e) {
      portal.parameters().clear();
      portal.adopt(fresh);
      throw e;
    }
  }

  private static boolean includes(ColumnType wide, ColumnType narrow) {
    return wide.kind() == narrow.kind()
        && wide.isLong() == narrow.isLong()
        && wide.precision() >= narrow.precision()
        && wide.scale() == narrow.scale();
  }

  private NelumboException failed(Portal portal, NelumboException error) {
    NelumboException failure = sessionTransaction.failed(error);
    ended(portal);
    return failure;
  }

  private NelumboException failed(Portal portal, NelumboException error, long mark) {
    NelumboException failure = sessionTransaction.failed(error, mark);
    sessionTransaction.countAbort(portal.statement().tables());
    return failure;
  }

  /** Has no effect if the end is recorded already. */
  private void ended(Portal portal) {
    long begun = portal.takeBegun();
    CachedStatement statement = portal.statement();
    sessionTransaction.timer().end(begun, statement.kind(), statement.sql());
    sessionTransaction.countAbort(statement.tables());
  }

  private static NelumboException internalError() {
    return new NelumboException(ErrorCode.INTERNAL, "the statement failed for an internal reason");
  }

  // Queries.

  /** Opens the result of a query or an EXPLAIN, after closing its previous result. */
  void open(Portal portal) {
    enter(portal);
    try {
      close(portal);
      portal.setBegun(sessionTransaction.timer().begin());
      arm(portal);
      Transaction transaction = begin(portal);
      boolean done = false;
      try {
        if (portal.statement().kind().category() == Category.EXPLAIN) {
          explain(portal, transaction);
        } else {
          portal.open(transaction);
          sessionTransaction.results().add(portal);
          if (portal.statement().physical().changesSession()) {
            sessionTransaction.detach(portal);
          }
        }
        done = true;
      } catch (NelumboException e) {
        done = true;
        throw failed(portal, e);
      } finally {
        if (!done) {
          NelumboException _ = sessionTransaction.failed(internalError());
        }
      }
    } finally {
      if (!portal.isStreaming()) {
        running = null;
        owner = null;
      }
      sessionMutex.exit();
    }
  }

  private void explain(Portal portal, Transaction transaction) {
    ExplainOptions options = portal.statement().explainOptions();
    Explanation explanation = new Explanation(environment, transaction, portal.statement());
    if (options.analyze()) {
      long mark = transaction.savepoint();
      boolean done = false;
      try {
        explanation.analyze(portal.execution());
        done = true;
      } finally {
        if (!done) {
          transaction.rollbackTo(mark);
        }
      }
      explanation.analyzeEnd(() -> sessionTransaction.endStatement());
    } else {
      explanation.show(portal.statement().physical().plan());
      sessionTransaction.endStatement();
    }
    portal.open(
        options.json()
            ? JsonExplanation.of(explanation, options)
            : TextExplanation.of(explanation, options));
  }

  /**
   * Moves to the next streamed row; returns false and closes the result after the last one or at
   * the limit of rows.
   */
  boolean next(Portal portal) {
    enter(portal);
    try {
      if (!portal.isOpen()) {
        portal.checkNotLost();
        return false;
      }
      if (!portal.isStreaming()) {
        return portal.nextBuffered(); // another thread's statement has detached the rows
      }
      if (portal.nextStreamed()) {
        sessionTransaction.confirmReads();
        return true;
      }
      portal.exhaust();
      close(portal);
      return false;
    } catch (NelumboException e) {
      throw failedReading(portal, e);
    } finally {
      sessionMutex.exit();
    }
  }

  /** Computes a value of the current streamed row. */
  void readValue(Portal portal, int column) {
    sessionMutex.enterOpen();
    try {
      portal.readValue(column);
    } finally {
      sessionMutex.exit();
    }
  }

  /** Handles the failure to compute a row or a value: the statement has failed. */
  NelumboException readingFailed(Portal portal, NelumboException error) {
    sessionMutex.enterUninterruptibly();
    try {
      return sessionMutex.isClosed() ? error : failedReading(portal, error);
    } finally {
      sessionMutex.exit();
    }
  }

  private NelumboException failedReading(Portal portal, NelumboException error) {
    if (portal.isStreaming()) {
      sessionTransaction.results().remove(portal);
      portal.execution().close();
    }
    portal.closed();
    portal.exhaust();
    running = null;
    owner = null;
    return failed(portal, error);
  }

  /** Closes the result; in auto-commit mode closing the last result ends the transaction. */
  void close(Portal portal) {
    if (portal.isOpen()) { // only its own thread opens it
      sessionMutex.enter();
      closeInside(portal);
    }
  }

  /** Closes the result for the next run of its statement, which can be stopped while it waits. */
  void close(Portal portal, long timeoutNanos) {
    if (portal.isOpen()) {
      sessionMutex.enter(portal.owner(), limit(timeoutNanos));
      closeInside(portal);
    }
  }

  private void closeInside(Portal portal) {
    try {
      if (!portal.isOpen()) {
        return;
      }
      boolean streamed = portal.isStreaming();
      if (streamed) {
        portal.execution().close();
        sessionTransaction.results().remove(portal);
      }
      portal.closed();
      running = null;
      if (owner == portal.owner()) {
        owner = null;
      }
      if (streamed && !sessionMutex.isClosed()) {
        sessionTransaction.endStatement();
      }
      ended(portal);
    } finally {
      sessionMutex.exit();
    }
  }

  // Changes.

  /**
   * Runs a change of rows, with retries if it loses a conflict and may be retried; returns the
   * number of rows.
   */
  long update(Portal portal) {
    enter(portal);
    long begun = sessionTransaction.timer().begin();
    try {
      arm(portal);
      return updateOnce(portal);
    } catch (NelumboException e) {
      boolean full = isPoolFull(e);
      if (!full && !mayRunAgain(e)) {
        throw e;
      }
      retrying = true;
      try {
        return full ? updateWithMemory(portal, e) : updateAgain(portal, e);
      } finally {
        retrying = false;
      }
    } finally {
      CachedStatement statement = portal.statement();
      sessionTransaction.timer().end(begun, statement.kind(), statement.sql());
      running = null;
      owner = null;
      sessionMutex.exit();
    }
  }

  private boolean mayRunAgain(NelumboException e) {
    return e.code().isRetryable() && sessionTransaction.mayRetry();
  }

  private static boolean isPoolFull(NelumboException e) {
    return e.code() == ErrorCode.POOL_FULL;
  }

  private long updateWithMemory(Portal portal, NelumboException first) {
    NelumboException last = first;
    long start = environment.nanoTime();
    for (int attempt = 0; sessionTransaction.awaitMemory(attempt); attempt++) {
      if (sessionTransaction.transaction().cancellation().isSet()
          || environment.nanoTime() - start >= MEMORY_WAIT_NANOS) {
        break;
      }
      try {
        return updateOnce(portal);
      } catch (NelumboException e) {
        if (!isPoolFull(e)) {
          throw e;
        }
        last = e;
      }
    }
    throw last;
  }

  /** Cancellation and time limit of the first run continue to apply. */
  private long updateAgain(Portal portal, NelumboException first) {
    Transaction transaction = sessionTransaction.transaction();
    long start = environment.nanoTime();
    NelumboException last = first;
    for (int attempt = 0;
        environment.nanoTime() - start < sessionTransaction.lockTimeoutNanos();
        attempt++) {
      environment.backoff(attempt);
      if (transaction.cancellation().isSet()) {
        throw transaction.failure(Outcome.CANCELLED);
      }
      try {
        return updateOnce(portal);
      } catch (NelumboException e) {
        if (!mayRunAgain(e)) {
          throw e;
        }
        last = e;
      }
    }
    throw last;
  }

  private long updateOnce(Portal portal) {
    portal.clearKeys();
    Transaction transaction = begin(portal);
    prefetchHints.fetch();
    long mark = transaction.savepoint();
    boolean done = false;
    try {
      Outcome status = prefetchHints.begin();
      if (status != Outcome.OK) {
        throw transaction.failure(status);
      }
      long count = portal.executeUpdate(transaction);
      done = true;
      prefetchHints.end(true);
      sessionTransaction.endStatement();
      return count;
    } catch (NelumboException e) {
      done = true;
      prefetchHints.end(false);
      throw failed(portal, e, mark);
    } finally {
      if (!done) {
        prefetchHints.end(false);
        NelumboException _ = sessionTransaction.failed(internalError(), mark);
      }
    }
  }

  /**
   * Runs an INSERT of one row for many rows of parameters, as one statement.
   *
   * @return false if nothing was inserted, and each row must be run on its own
   */
  boolean insertMany(Portal portal, int rows, IntConsumer setRow) {
    enter(portal);
    long begun = sessionTransaction.timer().begin();
    try {
      if (sessionTransaction.autoCommit()) {
        return false;
      }
      arm(portal);
      portal.clearKeys();
      return insertMany(portal, begin(portal), rows, setRow);
    } finally {
      CachedStatement statement = portal.statement();
      sessionTransaction.timer().end(begun, statement.kind(), statement.sql());
      running = null;
      owner = null;
      sessionMutex.exit();
    }
  }

  private boolean insertMany(Portal portal, Transaction transaction, int rows, IntConsumer setRow) {
    long mark = transaction.savepoint();
    boolean done = false;
    try {
      boolean possible = portal.execution().canInsertMany();
      if (possible) {
        portal.execution().insertMany(transaction, rows, setRow);
      }
      done = true;
      sessionTransaction.endStatement();
      return possible;
    } catch (NelumboException e) {
      done = true;
      throw failed(portal, e, mark);
    } finally {
      if (!done) {
        NelumboException _ = sessionTransaction.failed(internalError(), mark);
      }
    }
  }

  /**
   * Collects prefetch hints for the coming runs, only within an active transaction: a hint neither
   * begins a transaction nor waits. The plan is checked after its tables are locked; from then on
   * no schema change can remove their stores.
   *
   * @return true if more hints are useful
   */
  boolean anticipate(Portal portal) {
    sessionMutex.enter();
    try {
      boolean useful =
          !sessionTransaction.autoCommit()
              && sessionTransaction.tryLock(portal.statement().tables())
              && plans.isUpToDate(portal.statement());
      if (useful) {
        portal.execution().collectHints(prefetchHints);
        prefetchHints.endStatement();
      }
      return useful && !prefetchHints.isFull();
    } finally {
      sessionMutex.exit();
    }
  }
}
