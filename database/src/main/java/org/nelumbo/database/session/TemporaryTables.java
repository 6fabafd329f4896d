package org.nelumbo.database.session;

import java.util.HashMap;
import java.util.Map;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.database.plancache.SessionPlanCache;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.parser.ast.CreateTable;
import org.nelumbo.parser.ast.OnCommit;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.catalog.TemporarySchema;
import org.nelumbo.planner.frontend.StoredText;

/**
 * The temporary tables of a session. They are ordinary tables in a schema of the session, which is
 * created for the first of them and dropped with the session. This class implements ON COMMIT: it
 * deletes rows in the transaction that is about to be committed. Used by one thread at a time.
 */
final class TemporaryTables {
  private final SessionContext context;
  private final SessionPlanCache plans;
  private final StatementRunner runner;
  private final SessionTransaction sessionTransaction;

  private final Map<Integer, String> emptied = new HashMap<>();

  TemporaryTables(
      SessionContext context,
      SessionPlanCache plans,
      StatementRunner runner,
      SessionTransaction sessionTransaction) {
    this.context = context;
    this.plans = plans;
    this.runner = runner;
    this.sessionTransaction = sessionTransaction;
    sessionTransaction.beforeCommit(this::deleteRows);
  }

  /** Runs CREATE TEMPORARY TABLE, within the transaction in progress if there is one. */
  void create(CreateTable create) {
    CancellationToken stop = sessionTransaction.transaction().cancellation();
    if (plans.temporary() == null) {
      plans.setTemporary(context.schemaChanges().createTemporarySchema(stop));
    }
    TableEntry before = find(create);
    context
        .schemaChanges()
        .run(
            create, plans.schema(), plans.temporary(), sessionTransaction.lockTimeoutNanos(), stop);
    TableEntry table = find(create);
    if (before != null) {
      return; // IF NOT EXISTS
    }
    changed();
    boolean created = false;
    try {
      if (create.query() != null && create.withData()) {
        fill(table, create);
      }
      created = true;
    } finally {
      if (!created && sessionTransaction.transaction().isActive()) {
        sessionTransaction.whenEnded(
            () -> drop(table.id())); // the transaction has locked its metadata
      } else if (!created) {
        drop(table.id());
      }
    }
    attend(table, create.onCommit());
  }

  private TableEntry find(CreateTable create) {
    return context.catalog().state().table(plans.temporary().name(), create.name().names.getLast());
  }

  /** Invalidates the plans of the session, whose names may now refer to other tables. */
  void changed() {
    if (plans.temporary() != null) {
      plans.setTemporary(plans.temporary().changed());
    }
  }

  private void fill(TableEntry table, CreateTable create) {
    String insert = "INSERT INTO " + quoted(table) + " " + StoredText.of(create.query());
    runner.update(runner.newPortal(runner.plan(insert)));
  }

  private void attend(TableEntry table, OnCommit onCommit) {
    Runnable drop = () -> drop(table.id());
    if (onCommit == OnCommit.DELETE_ROWS) {
      emptied.put(table.id(), "DELETE FROM " + quoted(table));
    } else if (onCommit == OnCommit.DROP && sessionTransaction.autoCommit()) {
      drop.run();
    } else if (onCommit == OnCommit.DROP) {
      sessionTransaction.whenEnded(drop);
    }
    if (onCommit != OnCommit.DROP && !sessionTransaction.autoCommit()) {
      sessionTransaction.whenRolledBack(drop);
    }
  }

  private static String quoted(TableEntry table) {
    return quoted(table.schemaName()) + "." + quoted(table.name());
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private void deleteRows(Transaction transaction) {
    if (emptied.isEmpty() || transaction.writeCount() == 0) {
      return;
    }
    CatalogState state = context.catalog().state();
    emptied.keySet().removeIf(id -> state.table(id) == null);
    for (Map.Entry<Integer, String> each : emptied.entrySet()) {
      TableEntry[] table = {state.table(each.getKey())};
      if (sessionTransaction.holds(table)) {
        CachedStatement delete = plans.compile(each.getValue(), new StatementLimits());
        delete.physical().plan().newExecution(context.environment()).executeUpdate(transaction);
      }
    }
  }

  private void drop(int table) {
    context
        .schemaChanges()
        .dropTemporaryTable(
            table,
            sessionTransaction.lockTimeoutNanos(),
            new CancellationToken(context.environment()));
    changed();
  }

  /** Drops all tables after the last transaction of the session. */
  void close() {
    TemporarySchema schema = plans.temporary();
    if (schema != null) {
      context
          .schemaChanges()
          .dropTemporarySchema(
              schema.name(),
              sessionTransaction.lockTimeoutNanos(),
              new CancellationToken(context.environment()));
    }
  }
}
