package org.nelumbo.database.plancache;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.PoolInspector;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.schema.RowEstimates;
import org.nelumbo.planner.statistics.StatisticsSampler;
import org.nelumbo.planner.statistics.TableStatistics;

/**
 * Invalidates plans after the size of one of their tables has changed by a factor of ten, or when
 * more statistics of its values are known. A thread checks the tables once a second, and replans
 * statements. Running statements have no overhead, and keep their plan if the new one is equal.
 *
 * <p>If many rows were deleted, the thread reads a few segments of the table's hash index to
 * estimate the number of remaining rows. If the size of a table has doubled or halved, it samples
 * some thousand rows, see {@link StatisticsSampler}.
 */
public final class PlanInvalidator implements AutoCloseable {
  private static final long PERIOD_NANOS = 1_000_000_000L;
  private static final double FACTOR = 10;

  /** Values are sampled again when the size of a table has changed by this factor. */
  private static final double RESAMPLE_FACTOR = 2;

  private static final int MOST_SAMPLED = 8;

  private final Engine engine;
  private final Environment environment;
  private final Catalog catalog;
  private final PlanCache planCache;
  private final BackgroundThread thread;
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  /** Rows of tables by table id at the time of the last replanning; guarded by the schema lock. */
  private final Map<Integer, Double> planned = new HashMap<>();

  public PlanInvalidator(Engine engine, Catalog catalog, PlanCache planCache) {
    this.engine = engine;
    this.environment = engine.environment();
    this.catalog = catalog;
    this.planCache = planCache;
    this.thread =
        new BackgroundThread(
            environment, "nelumbo-growth", this::run, why -> !(why instanceof FabricException));
  }

  public void start() {
    thread.start();
  }

  private void run() {
    while (!thread.isStopped()) {
      tryWithSchemaLock(this::check);
      environment.parkNanos(PERIOD_NANOS);
    }
  }

  /** Runs a check under the schema lock, unless a schema change holds the lock. */
  public void tryWithSchemaLock(Runnable check) {
    begun.incrementAndGet();
    try {
      if (catalog.changeLock().tryLock()) {
        try {
          if (!thread.isStopped()) {
            check.run();
          }
        } finally {
          catalog.changeLock().unlock();
        }
      }
    } finally {
      ended.incrementAndGet();
    }
  }

  /** Returns the number of completed checks. Any thread may call it. */
  public long looks() {
    return ended.get();
  }

  /**
   * Returns true if a check has begun since the given count, so that the schema lock may have been
   * held by a check instead of a schema change.
   */
  public boolean hasLookedSince(long looks) {
    return begun.get() != looks;
  }

  /** Checks all tables; the caller holds the schema lock. */
  public void check() {
    measure(table -> table.store().estimate().isOutdated(), () -> {});
    Set<TableEntry> outgrown = new HashSet<>();
    for (TableEntry table : readable()) {
      double rows = RowEstimates.of(table);
      double before = planned.computeIfAbsent(table.id(), id -> RowEstimates.LEAST);
      if (rows >= before * FACTOR || rows <= before / FACTOR) {
        outgrown.add(table);
      }
    }
    sampleSome(outgrown);
    if (!outgrown.isEmpty()) {
      replan(outgrown);
    }
  }

  /** Implements ANALYZE: replans statements for the current sizes and values. */
  public void analyze(CancellationToken stop) {
    for (int attempt = 0; !catalog.changeLock().tryLock(); attempt++) {
      checkNotStopped(stop);
      environment.backoff(attempt);
    }
    try {
      measure(_ -> true, () -> checkNotStopped(stop));
      for (TableEntry table : readable()) {
        checkNotStopped(stop);
        double rows = RowEstimates.of(table);
        if (rows > RowEstimates.LEAST) {
          sample(table, rows);
        }
      }
      replan(new HashSet<>(readable()));
    } finally {
      catalog.changeLock().unlock();
    }
  }

  /** The number of tables is limited, because a thread may be waiting for the schema lock. */
  private void sampleSome(Set<TableEntry> sampled) {
    int left = MOST_SAMPLED;
    for (TableEntry table : readable()) {
      double rows = RowEstimates.of(table);
      TableStatistics known = table.statistics();
      boolean isKnown =
          known == null
              ? rows <= RowEstimates.LEAST
              : rows < known.rows() * RESAMPLE_FACTOR && rows * RESAMPLE_FACTOR > known.rows();
      if (!isKnown && left-- > 0 && sample(table, rows)) {
        sampled.add(table);
      }
    }
  }

  private boolean sample(TableEntry table, double rows) {
    TableStatistics known =
        StatisticsSampler.sample(engine, table.store(), table.columns().size(), rows);
    if (known != null) {
      table.noteStatistics(known);
    }
    return known != null;
  }

  private static void checkNotStopped(CancellationToken stop) {
    if (stop.isSet()) {
      throw stop.failure();
    }
  }

  private void measure(Predicate<TableEntry> which, Runnable beforeEach) {
    List<TableEntry> tables = readable().stream().filter(which).toList();
    if (!tables.isEmpty()) {
      try (PoolInspector inspector = new PoolInspector(engine)) {
        for (TableEntry table : tables) {
          beforeEach.run();
          inspector.measure(table.store());
        }
      }
    }
  }

  private List<TableEntry> readable() {
    return catalog.state().tables().stream().filter(table -> table.damage() == null).toList();
  }

  private void replan(Set<TableEntry> resized) {
    planned.keySet().removeIf(id -> catalog.state().table(id) == null);
    resized.forEach(table -> planned.put(table.id(), RowEstimates.of(table)));
    catalog.publishNewVersion(next -> planCache.replan(resized, next));
  }

  @Override
  public void close() {
    thread.stop();
  }
}
