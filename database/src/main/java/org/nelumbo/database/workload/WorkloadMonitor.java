package org.nelumbo.database.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.latency.LatencyHistogram;
import org.nelumbo.executor.txn.AbortCause;
import org.nelumbo.planner.catalog.TableEntry;

/** Collects the statistics of the statements of a database. Thread-safe. */
public final class WorkloadMonitor {
  /**
   * Maximum number of tables with separate counts; aborts on other tables are counted without a
   * table.
   */
  private static final int TABLES_MAX = 1000;

  private static final String NO_TABLE = "";

  private final Engine engine;
  private final Map<StatementClass, LatencyHistogram> latencies;
  private final Map<String, Map<AbortCause, LongAdder>> aborts = new ConcurrentHashMap<>();

  public WorkloadMonitor(Engine engine) {
    this.engine = engine;
    Map<StatementClass, LatencyHistogram> all = new EnumMap<>(StatementClass.class);
    for (StatementClass each : StatementClass.values()) {
      all.put(each, new LatencyHistogram());
    }
    this.latencies = Collections.unmodifiableMap(all);
  }

  /**
   * Creates a timer for a session.
   *
   * @param slowNanos minimum duration of a logged statement; 0 to log none
   */
  public StatementTimer newTimer(long slowNanos) {
    return new StatementTimer(engine.environment(), this, engine.fabric().isRemote(), slowNanos);
  }

  LatencyHistogram latency(StatementClass of) {
    return latencies.get(of);
  }

  /** Counts a transaction that a statement on these tables has ended, once for each of them. */
  public void countAbort(TableEntry[] tables, AbortCause cause) {
    if (tables.length == 0) {
      countAbort(NO_TABLE, cause);
    }
    for (TableEntry table : tables) {
      countAbort(table.schemaName() + "." + table.name(), cause);
    }
  }

  private void countAbort(String table, AbortCause cause) {
    boolean known = aborts.size() < TABLES_MAX || aborts.containsKey(table);
    aborts
        .computeIfAbsent(known ? table : NO_TABLE, _ -> new ConcurrentHashMap<>())
        .computeIfAbsent(cause, _ -> new LongAdder())
        .increment();
  }

  /** Returns the current statistics. */
  public WorkloadStatistics statistics() {
    List<WorkloadStatistics.Aborts> rows = new ArrayList<>();
    aborts.forEach(
        (table, causes) ->
            causes.forEach(
                (cause, count) ->
                    rows.add(new WorkloadStatistics.Aborts(table, cause, count.sum()))));
    return new WorkloadStatistics(
        latencies,
        engine.flushLatency(),
        rows,
        engine.lockTable().waits(),
        engine.lockTable().waitNanos(),
        engine.epochs().oldestPinNanos(),
        engine.epochs().horizonNanos());
  }
}
