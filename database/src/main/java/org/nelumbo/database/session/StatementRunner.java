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
 * One thread at a time, except where stated.
 *
 * <p>Each run of a statement goes the same way:
 *
 * <ol>
 *   <li>{@link #arm}: from now on it can be cancelled, and its time runs;
 *   <li>{@link #begin}: results of other statements are put aside in auto-commit mode, the metadata
 *       of the tables is locked, the plan is renewed if the catalogue has changed, and a
 *       transaction is begun if none is active;
 *   <li>the plan runs: a query delivers rows while {@link #next} asks for them;
 *   <li>the statement ends, which commits in auto-commit mode; or it has failed, which takes back
 *       what it did, or rolls back the transaction ({@code SessionTransaction.failed}).
 * </ol>
 *
 * <p>In auto-commit mode a change that loses against another transaction is run again, as long as
 * it could have waited for a lock. A change that finds the pool full is run again, in either mode,
 * as long as memory is about to come free: it has been taken back, so it holds nothing back itself.
 */
final class StatementRunner {
  /** How long a change that found the pool full is run again; each run waits a while itself. */
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

  /** Whose statement was armed last and has not ended; written before its token is armed. */
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
   * The statement that a thread runs just now, null if none does; any thread. A query whose rows
   * are still wanted runs while its reader asks for the next one.
   */
  CachedStatement running() {
    return sessionMutex.isHeld() ? running : null;
  }

  void setRunning(CachedStatement statementOrNull) {
    running = statementOrNull;
  }

  /** Ends a command: nobody may stop it any more. */
  void commandEnded() {
    running = null;
    owner = null;
  }

  /** Whether a change that lost is about to be run again; any thread. */
  boolean isRetrying() {
    return retrying;
  }

  /** Makes a statement in progress stop; any thread. */
  void cancel() {
    sessionTransaction.transaction().cancellation().cancel();
  }

  /** Makes the statement stop that an owner runs, or waits to run; any thread. */
  void cancel(Object whose) {
    sessionMutex.cancel(whose);
    CancellationToken token = sessionTransaction.transaction().cancellation();
    long statement = token.statement(); // read first: its owner was written before
    if (owner == whose) {
      token.cancel(statement);
    }
  }

  /** What a statement needs that is run for the first time. */
  Portal newPortal(CachedStatement statement) {
    countVerbsFor(statement);
    return new Portal(environment, statement);
  }

  /** The plan of a text for the present catalogue, made within the limits of this session. */
  CachedStatement plan(String sql) {
    try {
      return plans.compile(sql, planningLimits());
    } catch (NelumboException e) {
      throw sessionTransaction.notPlanned(e);
    }
  }

  /** Plans the statement of a portal for parameters of these types; rows being read stay. */
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

  /** EXPLAIN ANALYZE counts verbs, from the next transaction on. */
  private void countVerbsFor(CachedStatement statement) {
    if (statement.analyze() && sessionTransaction.countVerbs()) {
      prefetchHints = sessionTransaction.transaction().newPrefetchHints();
    }
  }

  // What all statements have in common.

  /** Enters the session to run the statement of a portal, which may be stopped while it waits. */
  void enter(Portal portal) {
    enter(portal.timeoutNanos(), portal.owner());
  }

  /** Enters the session for the statement of an owner; timeout 0: the session's limit. */
  void enter(long timeoutNanos, Object whose) {
    sessionMutex.enterOpen(whose, limit(timeoutNanos));
  }

  private long limit(long timeoutNanos) {
    return timeoutNanos > 0 ? timeoutNanos : queryTimeout.toNanos();
  }

  /**
   * From now on the statement can be cancelled, and its time runs, unless it has begun before; that
   * is over if the statement of another thread was armed meanwhile.
   */
  void arm(Portal portal) {
    if (!portal.takeContinues() || owner != portal.owner()) {
      arm(portal.timeoutNanos(), portal.owner());
    }
  }

  /** From now on a statement can be cancelled, and its time runs; 0: the session's limit. */
  void arm(long timeoutNanos, Object whose) {
    owner = whose;
    long timeout = limit(timeoutNanos);
    Transaction transaction = sessionTransaction.transaction();
    transaction.meetOthers();
    transaction.cancellation().arm(timeout);
    if (sessionMutex.isAborted()) {
      transaction.cancellation().cancel();
    }
  }

  /** Makes sure that the plan is good, its tables are locked, and a transaction is active. */
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
      sessionTransaction.begin(statement.readOnly());
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

  /** Locks the metadata of a plan that is still good then; the statement is planned anew if not. */
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

  /** The cache gives the same object as long as the catalogue has not changed. */
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
   * A plan that can use the raw values of the parameters that were set for the present one: where a
   * type has changed, the plan takes values of the type there was, and converts them. If that does
   * not go, the values are forgotten.
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

  /** Whether raw values of a type are values of another. */
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

  /** A query has ended, well or not; harmless if that is known. */
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

  /** Opens the result of a query or an EXPLAIN; a result of its that is still open is closed. */
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
    Explanation explanation = new Explanation(environment, transaction);
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

  /** To the next streamed row; false, and the result closed, if there is none or none is wanted. */
  boolean next(Portal portal) {
    enter(portal);
    try {
      if (!portal.isOpen()) {
        portal.checkNotLost();
        return false;
      }
      if (!portal.isStreaming()) {
        return portal.nextBuffered(); // another thread's statement has put the rows into memory
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

  /** Computes a value of the streamed row that its reader is on. */
  void readValue(Portal portal, int column) {
    sessionMutex.enterOpen();
    try {
      portal.readValue(column);
    } finally {
      sessionMutex.exit();
    }
  }

  /** A row or a value that its reader came to could not be had: the statement has failed. */
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

  /** Closes the result; in auto-commit mode this ends the transaction with the last one. */
  void close(Portal portal) {
    if (portal.isOpen()) { // only its own thread opens it
      sessionMutex.enter();
      closeInside(portal);
    }
  }

  /** Closes the result for the next run of its statement, which may be stopped while it waits. */
  void close(Portal portal, long timeoutNanos) {
    if (portal.isOpen()) {
      sessionMutex.enter(portal.owner(), limit(timeoutNanos));
      closeInside(portal);
    }
  }

  /** Closes the result of a portal, if no other thread has, and exits the session. */
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

  /** Runs a change of rows, again if it lost and may be; the number of rows. */
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

  /** The runs after one that found the pool full. */
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

  /** The runs after the first; a request to stop and the time limit are those of the first. */
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
   * @return false if each row is to be run by itself: nothing was inserted
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
   * Hints what is to come. Only within a transaction that goes on: none is begun, and nothing is
   * waited for, for a hint. The plan is looked at when its tables are locked: from then on no
   * schema change can take their stores away.
   *
   * @return whether more hints are of use
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
