package org.nelumbo.planner.session;

import java.util.concurrent.atomic.AtomicReference;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.planner.Database;

/**
 * The mutex of a session: lets one thread at a time in, as long as the session is open. Entering an
 * idle session costs one compare-and-set; a second thread waits. Reentrant.
 */
final class SessionMutex {
  private static final long POLL_NANOS = 50_000;

  private final Environment environment;
  private final Database database;
  private final AtomicReference<Thread> owner = new AtomicReference<>();
  private int depth;
  private volatile boolean closed;
  private volatile boolean aborted;

  SessionMutex(Environment environment, Database database) {
    this.environment = environment;
    this.database = database;
  }

  boolean isClosed() {
    return closed;
  }

  /** Nobody enters an open session from now on; whoever is inside finishes. */
  void close() {
    closed = true;
  }

  boolean isAborted() {
    return aborted;
  }

  /** Closes as {@link #close} does, but from any thread: what is running is to stop. */
  void abort() {
    aborted = true;
  }

  /** Whether some thread is inside; any thread. */
  boolean isHeld() {
    return owner.getOpaque() != null;
  }

  /** Enters an open session. */
  void enterOpen() {
    enter();
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
    Thread self = Thread.currentThread();
    if (owner.getPlain() == self) {
      depth++;
      return;
    }
    while (!owner.compareAndSet(null, self)) {
      environment.parkNanos(POLL_NANOS);
      if (Thread.interrupted()) {
        self.interrupt();
        throw new NelumboException(
            ErrorCode.CANCELLED, "interrupted while waiting for the session's other thread");
      }
    }
  }

  /** Enters, however long it takes. */
  void enterUninterruptibly() {
    Thread self = Thread.currentThread();
    if (owner.getPlain() == self) {
      depth++;
      return;
    }
    while (!owner.compareAndSet(null, self)) {
      environment.parkNanos(POLL_NANOS);
    }
  }

  /** Enters if nobody is inside, even if the session is closed. */
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
