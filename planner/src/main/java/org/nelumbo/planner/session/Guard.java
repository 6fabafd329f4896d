package org.nelumbo.planner.session;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;

/**
 * Lets one thread at a time into a session. Entering an idle session costs one compare-and-set; a
 * second thread waits. A thread that is inside may enter again.
 */
final class Guard {
  private static final long POLL_NANOS = 50_000;

  private final AtomicReference<Thread> owner = new AtomicReference<>();
  private int depth;

  void enter() {
    Thread self = Thread.currentThread();
    if (owner.getPlain() == self) {
      depth++;
      return;
    }
    while (!owner.compareAndSet(null, self)) {
      LockSupport.parkNanos(POLL_NANOS);
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
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  void exit() {
    if (depth > 0) {
      depth--;
    } else {
      owner.setRelease(null);
    }
  }
}
