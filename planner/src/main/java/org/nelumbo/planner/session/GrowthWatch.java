package org.nelumbo.planner.session;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.sql.RowEstimates;

/**
 * Has statements planned anew when a table has become ten times as large, or small, as when they
 * were planned first. A thread looks once a second; running statements pay nothing for it.
 */
final class GrowthWatch implements AutoCloseable {
  private static final long PERIOD_NANOS = 1_000_000_000L;
  private static final double FACTOR = 10;

  private final Environment environment;
  private final Catalog catalog;
  private final Thread thread;
  private volatile boolean stopped;

  /** Rows of tables by id, when statements were planned anew; guarded by the schema lock. */
  private final Map<Integer, Double> planned = new HashMap<>();

  GrowthWatch(Environment environment, Catalog catalog) {
    this.environment = environment;
    this.catalog = catalog;
    this.thread = environment.thread("nelumbo-growth", this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!stopped) {
      if (catalog.changeLock().tryLock()) {
        try {
          check();
        } finally {
          catalog.changeLock().unlock();
        }
      }
      environment.parkNanos(PERIOD_NANOS);
    }
  }

  /** Looks at all tables; the caller holds the schema lock. */
  void check() {
    boolean outgrown = false;
    for (TableEntry table : catalog.state().tables()) {
      double rows = RowEstimates.of(table);
      double before = planned.computeIfAbsent(table.id(), id -> RowEstimates.LEAST);
      outgrown |= rows >= before * FACTOR || rows <= before / FACTOR;
    }
    if (outgrown) {
      renew();
    }
  }

  /** ANALYZE: has statements planned for the sizes of this moment. */
  void analyze() {
    catalog.changeLock().lock();
    try {
      renew();
    } finally {
      catalog.changeLock().unlock();
    }
  }

  private void renew() {
    planned.clear();
    catalog.state().tables().forEach(table -> planned.put(table.id(), RowEstimates.of(table)));
    catalog.renew();
  }

  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(thread);
  }
}
