package org.nelumbo.database.session;

import java.util.HashMap;
import java.util.Map;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.database.plancache.SessionPlanCache;

/**
 * The executions of a session that were closed and rest until their statement is wanted again.
 * Those of plans that have been forgotten go with these. One thread at a time.
 */
final class IdleExecutions {
  private static final int CAPACITY = 128;

  private final SessionPlanCache plans;
  private final Map<CachedStatement, LocalExecution> idle = new HashMap<>();
  private long purges;

  IdleExecutions(SessionPlanCache plans) {
    this.plans = plans;
  }

  /** An execution of this plan that rests; null if there is none. */
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
