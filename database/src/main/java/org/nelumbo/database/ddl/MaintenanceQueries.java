package org.nelumbo.database.ddl;

import org.nelumbo.dm.env.DeepStack;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.plan.PlanExecution;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.modify.CopyPlanner;
import org.nelumbo.planner.modify.FillPlanner;
import org.nelumbo.planner.modify.PhysicalPlan;
import org.nelumbo.planner.physical.StatementPlanner;
import org.nelumbo.session.Isolation;

/**
 * Runs queries and copies of rows for schema changes, in transactions of their own. The caller
 * holds the metadata locks of the tables, so there are no conflicts.
 */
public final class MaintenanceQueries {
  private final Engine engine;
  private final CancellationToken stop;
  private final StatementPlanner planner;

  /**
   * Creates the queries of schema changes.
   *
   * @param stop set to stop the change in progress
   */
  public MaintenanceQueries(Engine engine, StatementPlanner planner, CancellationToken stop) {
    this.engine = engine;
    this.stop = stop;
    this.planner = planner;
  }

  StatementPlanner planner() {
    return planner;
  }

  /** Returns true if the result of a query is not empty. */
  boolean hasRows(String query, CatalogState state, String schema) {
    Plan plan =
        DeepStack.call(
            () ->
                planner
                    .plan(SqlParsing.parseStatement(query), state, schema, Isolation.SNAPSHOT)
                    .plan());
    try (Coordinator reader = engine.openCoordinator()) {
      reader.transaction().cancellation().follow(stop);
      reader.transaction().begin(Isolation.SNAPSHOT, true);
      PlanExecution execution = plan.newExecution(engine.environment());
      execution.open(reader.transaction());
      boolean found = execution.next();
      execution.close();
      return found;
    }
  }

  /** Fills an unpublished table with the rows of a query. */
  void fill(TableEntry target, PhysicalPlan query) {
    try (Coordinator reader = engine.openCoordinator();
        Coordinator writer = engine.openCoordinator()) {
      Plan plan = FillPlanner.plan(query, target, writer.transaction());
      reader.transaction().cancellation().follow(stop);
      reader.transaction().begin(Isolation.SNAPSHOT, true);
      plan.newExecution(engine.environment()).executeUpdate(reader.transaction());
    }
  }

  /** Copies all rows of a table into a new store of another form. */
  void copy(CatalogState state, TableEntry table, ColumnMapping columnMapping, TableStore target) {
    try (Coordinator reader = engine.openCoordinator();
        Coordinator writer = engine.openCoordinator()) {
      Plan plan =
          new CopyPlanner(planner.frontEnd(), state, table)
              .plan(
                  columnMapping.definition(),
                  columnMapping.sources(),
                  columnMapping.computed(),
                  target,
                  writer.transaction());
      reader.transaction().cancellation().follow(stop);
      reader.transaction().begin(Isolation.SNAPSHOT, true);
      plan.newExecution(engine.environment()).executeUpdate(reader.transaction());
    }
  }
}
