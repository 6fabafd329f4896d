package org.nelumbo.database.sysviews;

import static org.nelumbo.database.sysviews.ViewColumns.addLocal;
import static org.nelumbo.database.sysviews.ViewColumns.bool;
import static org.nelumbo.database.sysviews.ViewColumns.number;
import static org.nelumbo.database.sysviews.ViewColumns.optionalNumber;
import static org.nelumbo.database.sysviews.ViewColumns.optionalText;
import static org.nelumbo.database.sysviews.ViewColumns.raw;
import static org.nelumbo.database.sysviews.ViewColumns.text;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.database.plancache.PlanCache;
import org.nelumbo.database.session.LocalSession;
import org.nelumbo.database.session.SessionRegistry;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.PoolInspector;
import org.nelumbo.executor.lock.LockState;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.TableEntry;

/**
 * The views of schema SYS about current activity. Each reads a snapshot of the sessions without
 * stopping them.
 */
final class ActivityViews {
  private final Engine engine;
  private final Catalog catalog;
  private final PlanCache planCache;
  private final SessionRegistry sessions;

  ActivityViews(Engine engine, Catalog catalog, PlanCache planCache, SessionRegistry sessions) {
    this.engine = engine;
    this.catalog = catalog;
    this.planCache = planCache;
    this.sessions = sessions;
  }

  void register() {
    addLocal(
        catalog,
        engine,
        "TRANSACTIONS",
        this::transactions,
        number("SESSION_ID"),
        text("STATE"),
        text("ISOLATION"),
        bool("READ_ONLY"),
        optionalNumber("START_TIMESTAMP"),
        number("LOCKS_HELD"),
        number("ROWS_WRITTEN"),
        optionalText("STATEMENT"));
    addLocal(
        catalog,
        engine,
        "LOCKS",
        this::locks,
        number("SESSION_ID"),
        text("LOCK_KEY"),
        text("LOCK_KIND"),
        text("LOCK_MODE"),
        bool("GRANTED"),
        optionalText("SCHEMA_NAME"),
        optionalText("TABLE_NAME"));
    addLocal(
        catalog,
        engine,
        "STATEMENTS",
        this::statements,
        text("STATEMENT"),
        text("KIND"),
        text("SCHEMA_NAME"),
        text("ISOLATION"),
        bool("CURRENT"),
        number("RUNNING"),
        number("PLANS"),
        number("PLAN_MICROS"));
    addLocal(
        catalog,
        engine,
        "FABRIC",
        this::fabric,
        number("SESSION_ID"),
        number("ROUND_TRIPS"),
        number("READS"),
        number("WRITES"),
        number("COMPARE_AND_SWAPS"),
        number("FETCH_AND_ADDS"),
        number("BYTES_IN"),
        number("BYTES_OUT"));
  }

  private List<Object[]> transactions() {
    List<Object[]> rows = new ArrayList<>();
    for (LocalSession session : sessions.sessions()) {
      Transaction transaction = session.transaction();
      boolean active = transaction.isActive();
      if (active || session.inTransaction()) {
        rows.add(
            new Object[] {
              session.id(),
              !active ? "FAILED" : session.isWaiting() ? "WAITING" : "ACTIVE",
              transaction.isolation().name(),
              raw(transaction.isReadOnly()),
              active ? transaction.startTimestamp() : null,
              transaction.lockStates().stream().filter(LockState::granted).count(),
              (long) transaction.writeCount(),
              session.runningSql()
            });
      }
    }
    return rows;
  }

  private List<Object[]> locks() {
    List<Object[]> rows = new ArrayList<>();
    try (PoolInspector inspector = new PoolInspector(engine)) {
      for (LocalSession session : sessions.sessions()) {
        for (LockState lock : session.transaction().lockStates()) {
          rows.add(lock(session, lock, inspector));
        }
      }
    }
    return rows;
  }

  private Object[] lock(LocalSession session, LockState lock, PoolInspector inspector) {
    TableEntry table = catalog.state().table(inspector.tableOf(lock));
    return new Object[] {
      session.id(),
      Long.toHexString(lock.key()),
      lock.isLeaf() ? "LEAF" : "ROW",
      lock.mode().name(),
      raw(lock.granted()),
      table == null ? null : table.schemaName(),
      table == null ? null : table.name()
    };
  }

  private List<Object[]> statements() {
    List<Object[]> rows = new ArrayList<>();
    List<LocalSession> open = sessions.sessions();
    long version = catalog.state().version();
    planCache.forEach(
        (schema, isolation, cachedStatement) -> {
          CachedStatement.PlanTotal plans = cachedStatement.planTotal();
          rows.add(
              new Object[] {
                cachedStatement.shownText(),
                cachedStatement.kind().category().name(),
                schema,
                isolation.name(),
                raw(cachedStatement.isGoodFor(version)),
                open.stream().filter(session -> session.isRunning(cachedStatement)).count(),
                plans.compilations(),
                TimeUnit.NANOSECONDS.toMicros(plans.nanos())
              });
        });
    return rows;
  }

  private List<Object[]> fabric() {
    List<Object[]> rows = new ArrayList<>();
    for (LocalSession session : sessions.sessions()) {
      FabricCounters counters = session.counters();
      if (counters != null) {
        rows.add(
            new Object[] {
              session.id(),
              counters.roundTrips(),
              counters.reads(),
              counters.writes(),
              counters.compareAndSwaps(),
              counters.fetchAndAdds(),
              counters.bytesIn(),
              counters.bytesOut()
            });
      }
    }
    return rows;
  }
}
