package org.nelumbo.executor.gc;

import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.Environment;

/**
 * A latch that tells whether a coordinator is in a transaction; if it is not, the sweeper may have
 * its garbage for an instant. Thread-safe.
 */
final class CoordinatorLatch {
  private static final int FREE = 0;
  private static final int BUSY = 1;
  private static final int SWEPT = 2;

  private final Environment environment;
  private final AtomicInteger state = new AtomicInteger(FREE);

  CoordinatorLatch(Environment environment) {
    this.environment = environment;
  }

  /** The coordinator begins a transaction. */
  void enter() {
    for (int attempt = 0; !state.compareAndSet(FREE, BUSY); attempt++) {
      environment.backoff(attempt);
    }
  }

  /** The coordinator's transaction, or the sweeper's visit, is over. */
  void leave() {
    state.setRelease(FREE);
  }

  /** The sweeper comes by; false if a transaction is going on. */
  boolean tryVisit() {
    return state.get() == FREE && state.compareAndSet(FREE, SWEPT);
  }
}
