package org.nelumbo.planner.session;

import java.util.HashMap;
import java.util.Map;
import org.nelumbo.executor.txn.Isolation;

/**
 * The plans a session remembers, and executions of them that rest until they are wanted again. A
 * plan is good for one version of the catalogue, one isolation level and one schema for unqualified
 * names; when one of these changes, all that is not good any more is forgotten. One thread at a
 * time.
 */
final class SessionPlanCache {
  private static final int REMEMBERED_PLANS = 512;
  private static final int IDLE_EXECUTIONS = 128;

  private final LocalDatabase database;
  private final Map<String, CachedStatement> plans = new HashMap<>();
  private final Map<CachedStatement, LocalExecution> idle = new HashMap<>();
  private long version;

  /** The isolation that statements are planned for: that of the transaction, or of the next one. */
  private Isolation isolation;

  private String schema;

  SessionPlanCache(LocalDatabase database, Isolation isolation, String schema) {
    this.database = database;
    this.isolation = isolation;
    this.schema = schema;
  }

  String schema() {
    return schema;
  }

  void setSchema(String name) {
    database.checkSchema(name);
    schema = name;
    forget();
  }

  /** From now on statements are planned for this isolation. */
  void planFor(Isolation level) {
    if (level != isolation) {
      isolation = level;
      forget();
    }
  }

  void forget() {
    plans.clear();
    idle.clear();
  }

  CachedStatement compile(String sql) {
    long now = database.catalogVersion();
    if (now != version) {
      plans.values().removeIf(plan -> !plan.isGoodFor(now));
      idle.keySet().removeIf(plan -> !plan.isGoodFor(now));
      version = now;
    }
    CachedStatement known = plans.get(sql);
    if (known != null) {
      return known;
    }
    CachedStatement cachedStatement = database.planCache().compile(sql, schema, isolation);
    if (plans.size() >= REMEMBERED_PLANS) {
      plans.clear();
    }
    plans.put(sql, cachedStatement);
    return cachedStatement;
  }

  /** The plan itself if it is still good, else a new one of the same text. */
  CachedStatement current(CachedStatement cachedStatement) {
    return isCurrent(cachedStatement) ? cachedStatement : compile(cachedStatement.sql());
  }

  boolean isCurrent(CachedStatement cachedStatement) {
    return cachedStatement.isGoodFor(database.catalogVersion())
        && cachedStatement.isolation() == isolation;
  }

  /** An execution of this plan that rests; null if there is none. */
  LocalExecution takeIdle(CachedStatement cachedStatement) {
    return idle.remove(cachedStatement);
  }

  void giveBack(LocalExecution execution) {
    if (idle.size() < IDLE_EXECUTIONS && !execution.cachedStatement().analyze()) {
      idle.put(execution.cachedStatement(), execution);
    }
  }
}
