package org.nelumbo.executor.gc;

import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.Environment;

/**
 * A latch that marks whether a coordinator is in a transaction; if it is not, the sweeper may take
 * its garbage. Thread-safe.
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

  /** Begins a transaction of the coordinator. */
  void enter() {
    for (int attempt = 0; !state.compareAndSet(FREE, BUSY); attempt++) {
      environment.backoff(attempt);
    }
  }

  /** Ends the coordinator's transaction, or the sweeper's visit. */
  void leave() {
    state.setRelease(FREE);
  }

  /** Begins a visit of the sweeper; returns false if a transaction is in progress. */
  boolean tryVisit() {
    return state.get() == FREE && state.compareAndSet(FREE, SWEPT);
  }
}
