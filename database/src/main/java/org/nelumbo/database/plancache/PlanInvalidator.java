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
 * Invalidates plans when a table of theirs has become ten times as large, or small, as when they
 * were made, or when more is known of its values. A thread looks once a second, and plans; running
 * statements pay nothing for it, and go on with the plan they have where the new one is the same.
 * Where many rows have gone, it reads a few segments of the table's hash index to learn how many
 * are left. Of a table whose size has doubled or halved it reads some thousand rows, see {@link
 * StatisticsSampler}.
 */
public final class PlanInvalidator implements AutoCloseable {
  private static final long PERIOD_NANOS = 1_000_000_000L;
  private static final double FACTOR = 10;

  /** Values are looked at anew when a table has become so many times as large, or small. */
  private static final double RESAMPLE_FACTOR = 2;

  /** Tables whose values are looked at in one look. */
  private static final int MOST_SAMPLED = 8;

  private final Engine engine;
  private final Environment environment;
  private final Catalog catalog;
  private final PlanCache planCache;
  private final BackgroundThread thread;
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  /** Rows of tables by id, when statements were planned anew; guarded by the schema lock. */
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

  /** Has the schema lock for a moment, unless a schema change has it. */
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

  /** How many looks have ended; any thread. */
  public long looks() {
    return ended.get();
  }

  /** Whether there was a look since, or is one: no schema change need have had the lock. */
  public boolean hasLookedSince(long looks) {
    return begun.get() != looks;
  }

  /** Looks at all tables; the caller holds the schema lock. */
  public void check() {
    measure(table -> table.store().hash().estimate().isOutdated(), () -> {});
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

  /** ANALYZE: has statements planned for the sizes and the values of this moment. */
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

  /**
   * Looks at the values of some tables of which none are known, or whose size has doubled or halved
   * since. Not of all: somebody may be waiting for the schema lock.
   */
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

  /** Looks at the values of a table; false if it could not be read. */
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

  /** Counts the rows of some tables in the pool. */
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
