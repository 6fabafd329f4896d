package org.nelumbo.database.check;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.plan.PlanExecution;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.CheckDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.GeneratedDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.physical.StatementPlanner;

/**
 * Finds rows of a table that violate its definition: CHECK constraints, foreign keys, and generated
 * columns. It runs queries in the snapshot of a transaction.
 */
final class ConstraintCheck {
  private static final int NAMED_MAX = 100;

  private final Environment environment;
  private final Transaction transaction;
  private final StatementPlanner planner;
  private final CatalogState state;
  private final Findings findings;

  ConstraintCheck(
      Environment environment,
      Transaction transaction,
      StatementPlanner planner,
      CatalogState state,
      Findings findings) {
    this.environment = environment;
    this.transaction = transaction;
    this.planner = planner;
    this.state = state;
    this.findings = findings;
  }

  /** Checks the rows of a table. */
  void run(TableEntry table) {
    TableDefinition definition = table.definition();
    for (CheckDefinition check : definition.checks()) {
      String problem = "the row violates CHECK (" + check.text() + ")";
      find(table, check.name(), "NOT (" + check.text() + ")", problem);
    }
    for (GeneratedDefinition column : definition.generated()) {
      if (!definition.columns().get(column.column()).hidden()) {
        String name = definition.columns().get(column.column()).name();
        String differs = quoted(name) + " IS DISTINCT FROM (" + column.text() + ")";
        find(table, name, differs, "the value differs from its expression");
      }
    }
    for (ForeignKeyDefinition key : definition.foreignKeys()) {
      find(table, key);
    }
  }

  private void find(TableEntry table, ForeignKeyDefinition key) {
    TableEntry parent = state.table(key.referencedTable());
    if (parent == null || parent.damage() != null) {
      String why = parent == null ? "does not exist" : parent + " is damaged";
      findings.add(
          new Finding(
              table.schemaName(),
              table.name(),
              key.name(),
              null,
              "the table that the foreign key refers to " + why));
      return;
    }
    StringBuilder known = new StringBuilder();
    StringBuilder match = new StringBuilder();
    for (int i = 0; i < key.columns().length; i++) {
      String column = "c." + quoted(table.columns().get(key.columns()[i]).name());
      Column referenced = parent.columns().get(key.referencedColumns()[i]);
      known.append(column).append(" IS NOT NULL AND ");
      match.append(i == 0 ? "" : " AND ");
      match.append("p.").append(quoted(referenced.name())).append(" = ").append(column);
    }
    String missing =
        known + "NOT EXISTS (SELECT 1 FROM " + quoted(parent) + " AS p WHERE " + match + ")";
    find(
        table,
        key.name(),
        missing,
        "the row refers to a row of " + parent + " that does not exist");
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static String quoted(TableEntry table) {
    return quoted(table.schemaName()) + "." + quoted(table.name());
  }

  private void find(TableEntry table, String object, String broken, String problem) {
    List<String> key = new ArrayList<>();
    for (int column : table.definition().primaryKey()) {
      if (!table.definition().columns().get(column).hidden()) {
        String name = quoted(table.definition().columns().get(column).name());
        key.add("CAST(c." + name + " AS VARCHAR)");
      }
    }
    String query =
        "SELECT "
            + (key.isEmpty() ? "'...'" : String.join(" || ', ' || ", key))
            + " FROM "
            + quoted(table)
            + " AS c WHERE "
            + broken;
    try {
      run(table, object, query, problem);
    } catch (NelumboException | OutsidePoolException e) {
      if (e instanceof NelumboException known && known.code() != ErrorCode.DATA_CORRUPTED) {
        throw e;
      }
      findings.add(
          new Finding(
              table.schemaName(), table.name(), object, null, "unknown: " + e.getMessage()));
    }
  }

  private void run(TableEntry table, String object, String query, String problem) {
    PlanExecution execution =
        planner
            .plan(
                SqlParsing.parseStatement(query),
                state,
                table.schemaName(),
                transaction.isolation())
            .plan()
            .newExecution(environment);
    execution.open(transaction);
    try {
      for (int named = 0; named < NAMED_MAX && execution.next(); named++) {
        String key = String.valueOf(execution.objectAt(0));
        findings.add(new Finding(table.schemaName(), table.name(), object, key, problem));
      }
    } finally {
      execution.close();
    }
  }
}
