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
final class SessionPlans {
  private static final int REMEMBERED_PLANS = 512;
  private static final int IDLE_EXECUTIONS = 128;

  private final LocalDatabase database;
  private final Map<String, Compiled> plans = new HashMap<>();
  private final Map<Compiled, LocalExecution> idle = new HashMap<>();
  private long version;

  /** The isolation that statements are planned for: that of the transaction, or of the next one. */
  private Isolation isolation;

  private String schema;

  SessionPlans(LocalDatabase database, Isolation isolation, String schema) {
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

  Compiled compile(String sql) {
    long now = database.catalogVersion();
    if (now != version) {
      plans.values().removeIf(plan -> !plan.isGoodFor(now));
      idle.keySet().removeIf(plan -> !plan.isGoodFor(now));
      version = now;
    }
    Compiled known = plans.get(sql);
    if (known != null) {
      return known;
    }
    Compiled compiled = database.compiler().compile(sql, schema, isolation);
    if (plans.size() >= REMEMBERED_PLANS) {
      plans.clear();
    }
    plans.put(sql, compiled);
    return compiled;
  }

  /** The plan itself if it is still good, else a new one of the same text. */
  Compiled current(Compiled compiled) {
    return isCurrent(compiled) ? compiled : compile(compiled.sql());
  }

  boolean isCurrent(Compiled compiled) {
    return compiled.isGoodFor(database.catalogVersion()) && compiled.isolation() == isolation;
  }

  /** An execution of this plan that rests; null if there is none. */
  LocalExecution takeIdle(Compiled compiled) {
    return idle.remove(compiled);
  }

  void giveBack(LocalExecution execution) {
    if (idle.size() < IDLE_EXECUTIONS && !execution.compiled().analyze()) {
      idle.put(execution.compiled(), execution);
    }
  }
}
