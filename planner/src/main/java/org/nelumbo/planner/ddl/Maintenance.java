package org.nelumbo.planner.ddl;

import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.plan.PlanExecution;
import org.nelumbo.executor.txn.Coordinator;
import org.nelumbo.executor.txn.Engine;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.physical.StatementPlanner;
import org.nelumbo.sql.SqlParsing;

/** Runs what schema changes need to know or do, in transactions of their own. The gates of the tables are closed, so nothing stands in the way. */
public final class Maintenance {
  private final Engine engine;
  private final StatementPlanner planner;

  public Maintenance(Engine engine, StatementPlanner planner) {
    this.engine = engine;
    this.planner = planner;
  }

  StatementPlanner planner() {
    return planner;
  }

  /** Whether a query has a row. */
  boolean hasRows(String query, CatalogState state, String schema) {
    Plan plan =
        planner
            .plan(SqlParsing.parseStatement(query), state, schema, Isolation.SERIALIZABLE)
            .plan();
    try (Coordinator coordinator = engine.openCoordinator()) {
      Transaction transaction = coordinator.transaction();
      transaction.begin(Isolation.SERIALIZABLE, true);
      PlanExecution execution = plan.newExecution(engine.environment());
      execution.open(transaction);
      boolean found = execution.next();
      execution.close();
      return found;
    }
  }

  /** Runs a change of rows. */
  void run(Plan plan) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      Transaction transaction = coordinator.transaction();
      transaction.begin(Isolation.SERIALIZABLE, false);
      plan.newExecution(engine.environment()).executeUpdate(transaction);
      int status = transaction.commit();
      if (status != Transaction.OK) {
        NelumboException failure = transaction.failure(status);
        throw failure;
      }
    }
  }
}
