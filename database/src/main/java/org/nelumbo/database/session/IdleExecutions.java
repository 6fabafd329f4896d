package org.nelumbo.database.session;

import java.util.HashMap;
import java.util.Map;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.database.plancache.SessionPlanCache;

/**
 * The closed executions of a session, kept for the next run of their statements. They are dropped
 * together with evicted plans. Used by one thread at a time.
 */
final class IdleExecutions {
  private static final int CAPACITY = 128;

  private final SessionPlanCache plans;
  private final Map<CachedStatement, LocalExecution> idle = new HashMap<>();
  private long purges;

  IdleExecutions(SessionPlanCache plans) {
    this.plans = plans;
  }

  /** Removes and returns an idle execution of this plan, or returns null if there is none. */
  LocalExecution take(CachedStatement plan) {
    purge();
    LocalExecution rested = idle.remove(plan.shared());
    if (rested != null) {
      rested.adoptText(plan);
    }
    return rested;
  }

  void put(LocalExecution execution) {
    purge();
    CachedStatement plan = execution.plan();
    if (idle.size() < CAPACITY && !plan.analyze()) {
      idle.put(plan.shared(), execution);
    }
  }

  private void purge() {
    if (purges != plans.purges()) {
      purges = plans.purges();
      idle.keySet().removeIf(plan -> !plans.isCurrent(plan));
    }
  }

  void clear() {
    idle.clear();
  }
}
