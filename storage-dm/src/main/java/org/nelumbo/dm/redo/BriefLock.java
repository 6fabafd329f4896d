package org.nelumbo.dm.redo;

import java.util.concurrent.atomic.AtomicReference;
import org.nelumbo.dm.env.Environment;

/**
 * A lock that is held for some instructions: who waits for it spins, then yields, then sleeps for
 * moments; nobody is woken. Its holder may take it once more.
 */
final class BriefLock {
  private final Environment environment;
  private final AtomicReference<Thread> holder = new AtomicReference<>();
  private int depth;

  BriefLock(Environment environment) {
    this.environment = environment;
  }

  void lock() {
    Thread self = Thread.currentThread();
    if (holder.get() == self) {
      depth++;
      return;
    }
    for (int attempt = 0; holder.get() != null || !holder.compareAndSet(null, self); attempt++) {
      environment.backoff(attempt);
    }
  }

  void unlock() {
    if (depth > 0) {
      depth--;
    } else {
      holder.set(null);
    }
  }
}
