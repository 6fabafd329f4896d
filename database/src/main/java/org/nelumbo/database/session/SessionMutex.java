package org.nelumbo.database.session;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.nelumbo.database.Database;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * The mutex of a session: admits one thread at a time while the session is open. Entering an idle
 * session costs one compare-and-set; a second thread waits. Reentrant.
 */
final class SessionMutex {
  private static final long POLL_NANOS = 50_000;

  private final Environment environment;
  private final Database database;
  private final AtomicReference<Thread> owner = new AtomicReference<>();
  private int depth;
  private volatile boolean closed;
  private volatile boolean aborted;

  private final List<Waiter> waiters = new CopyOnWriteArrayList<>();

  private static final class Waiter {
    private final Object statement;
    private volatile boolean cancelled;

    Waiter(Object statement) {
      this.statement = statement;
    }
  }

  SessionMutex(Environment environment, Database database) {
    this.environment = environment;
    this.database = database;
  }

  boolean isClosed() {
    return closed;
  }

  /** Rejects threads from now on; the thread inside finishes. */
  void close() {
    closed = true;
  }

  boolean isAborted() {
    return aborted;
  }

  /**
   * Closes the mutex like {@link #close}, but from any thread, in order to stop the running
   * statement.
   */
  void abort() {
    aborted = true;
  }

  /** Returns true if a thread is inside. Any thread may call it. */
  boolean isHeld() {
    return owner.getOpaque() != null;
  }

  /** Enters an open session. */
  void enterOpen() {
    enter();
    checkOpen();
  }

  /**
   * Enters an open session to run a statement, which can be stopped while it waits for the
   * statement of another thread.
   *
   * @param statement identifies the statement in {@link #cancel}
   * @param timeoutNanos the longest wait; 0 for no limit
   */
  void enterOpen(Object statement, long timeoutNanos) {
    enter(statement, timeoutNanos);
    checkOpen();
  }

  /** Enters like {@link #enterOpen(Object, long)}, even if the session is closed. */
  void enter(Object statement, long timeoutNanos) {
    if (!enterAtOnce()) {
      Waiter waiter = new Waiter(statement);
      waiters.add(waiter);
      try {
        await(waiter, timeoutNanos);
      } finally {
        waiters.remove(waiter);
      }
    }
  }

  /** Stops a statement that waits to enter. Any thread may call it. */
  void cancel(Object statement) {
    for (Waiter waiter : waiters) {
      if (waiter.statement == statement) {
        waiter.cancelled = true;
      }
    }
  }

  private void checkOpen() {
    if (closed || aborted) {
      exit();
      throw refusal();
    }
  }

  private NelumboException refusal() {
    return database.isOpen()
        ? new NelumboException(ErrorCode.CONNECTION_CLOSED, "the session is closed")
        : new NelumboException(ErrorCode.SHUT_DOWN, "the database has been shut down");
  }

  /** Enters, even if the session is closed. */
  void enter() {
    if (!enterAtOnce()) {
      await(null, 0);
    }
  }

  private boolean enterAtOnce() {
    Thread self = Thread.currentThread();
    if (owner.getPlain() == self) {
      depth++;
      return true;
    }
    return owner.compareAndSet(null, self);
  }

  private void await(Waiter waiter, long timeoutNanos) {
    Thread self = Thread.currentThread();
    long begun = environment.nanoTime();
    while (!owner.compareAndSet(null, self)) {
      environment.parkNanos(POLL_NANOS);
      if (Thread.interrupted()) {
        self.interrupt();
        throw cancelled("interrupted while waiting for the session's other thread");
      } else if (waiter != null && waiter.cancelled) {
        throw cancelled(
            "the statement was cancelled while it waited for the statement of another thread");
      } else if (timeoutNanos > 0 && environment.nanoTime() - begun >= timeoutNanos) {
        throw cancelled(
            "the statement waited longer than its query timeout for the statement of"
                + " another thread on the same connection; give each thread its own connection");
      }
    }
  }

  private static NelumboException cancelled(String why) {
    return new NelumboException(ErrorCode.CANCELLED, why);
  }

  /** Enters without a limit on the wait. */
  void enterUninterruptibly() {
    while (!enterAtOnce()) {
      environment.parkNanos(POLL_NANOS);
    }
  }

  /** Enters if no thread is inside, even if the session is closed. */
  boolean tryEnter() {
    return owner.compareAndSet(null, Thread.currentThread());
  }

  void exit() {
    if (depth > 0) {
      depth--;
    } else {
      owner.setRelease(null);
    }
  }
}
