package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.sqlgen.TableMaker.Definition;

/**
 * A runner of transactions in both databases: changes, including failing ones, queries of its own
 * changes, savepoints, DDL, and an end. Before, during and after it both databases must have the
 * same rows, and another session must not see its changes before the end.
 */
final class TransactionSteps {
  private static final int STEPS_MAX = 10;

  private final Dice dice;
  private final List<Table> tables;
  private final DatabasePair pair;
  private final TableMaker maker;
  private final QueryMaker queries;
  private final ChangeMaker changes;
  private final SelfChecks checks;
  private final List<String> savepoints = new ArrayList<>();
  private int names;

  TransactionSteps(
      Dice dice, List<Table> tables, DatabasePair pair, TableMaker maker, SelfChecks checks) {
    this.dice = dice;
    this.tables = tables;
    this.pair = pair;
    this.maker = maker;
    this.queries = new QueryMaker(dice, tables);
    this.changes = new ChangeMaker(dice, tables);
    this.checks = checks;
  }

  void run() throws InterruptedException {
    DatabaseSession session = pair.session();
    Map<Table, Outcome> before = new HashMap<>();
    DatabaseSession beside = pair.sessionBeside(session);
    if (beside != null && dice.chance(40)) {
      tables.forEach(table -> before.put(table, pair.look(beside, table)));
    }
    savepoints.clear();
    pair.begin(session, false);
    boolean over = false;
    for (int i = 1 + dice.below(STEPS_MAX); i > 0 && !over && pair.isAlike(); i--) {
      over = step(session);
      if (!over && !before.isEmpty() && pair.isAlike()) {
        lookBeside(beside, before);
      }
    }
    if (over) {
      return;
    }
    tables.forEach(table -> pair.compareRows(session, table));
    if (dice.chance(50)) {
      pair.commit(session);
    } else {
      pair.rollback(session);
    }
    tables.forEach(table -> pair.compareRows(pair.session(), table));
  }

  /** Returns true if the step has ended the transaction. */
  private boolean step(DatabaseSession session) throws InterruptedException {
    switch (dice.below(30)) {
      case 0, 1, 2 -> savepoint(session);
      case 3, 4, 5 -> rollBackToSavepoint(session);
      case 6 -> releaseSavepoint(session);
      case 7 -> {
        return define(session);
      }
      case 8, 9, 10, 11, 12, 13 -> {
        GeneratedStatement query = queries.query();
        pair.run(session, query);
        pair.runAgain(session, query, dice.below(3));
      }
      case 14, 15, 16, 17, 18 -> {
        FailedCheck finding = checks.checkAnswers(session);
        if (finding != null) {
          pair.add(finding);
        }
      }
      default -> {
        Table table = dice.any(tables);
        pair.run(session, changes.change(table));
        pair.compareRows(session, table);
      }
    }
    return false;
  }

  private void savepoint(DatabaseSession session) {
    String name = "s" + names++;
    savepoints.add(name);
    pair.control(session, "SAVEPOINT " + name);
  }

  private void rollBackToSavepoint(DatabaseSession session) {
    if (!savepoints.isEmpty()) {
      int index = dice.below(savepoints.size());
      pair.control(session, "ROLLBACK TO SAVEPOINT " + savepoints.get(index));
      savepoints.subList(index + 1, savepoints.size()).clear();
      tables.forEach(table -> pair.compareRows(session, table));
    }
  }

  private void releaseSavepoint(DatabaseSession session) {
    if (!savepoints.isEmpty()) {
      int index = dice.below(savepoints.size());
      pair.release(session, savepoints.get(index));
      savepoints.subList(index, savepoints.size()).clear();
    }
  }

  /** DDL commits the statements before it and ends the transaction. */
  private boolean define(DatabaseSession session) {
    Definition definition = maker.change(dice.any(tables));
    boolean defined = pair.run(session, definition.statement()) instanceof Outcome.Count;
    if (defined) {
      definition.whenMade().run();
    }
    if (!pair.isAlike()) {
      return false;
    }
    pair.endAfterDefinition(session, defined);
    tables.forEach(table -> pair.compareRows(pair.session(), table));
    return true;
  }

  private void lookBeside(DatabaseSession beside, Map<Table, Outcome> before) {
    Table table = dice.any(tables);
    beside.begin(true);
    Outcome seen = pair.look(beside, table);
    beside.end(true);
    if (!seen.equals(before.get(table))) {
      pair.add(
          new FailedCheck(
              "isolation",
              "another session sees in "
                  + table.name
                  + "\n  "
                  + seen
                  + "\n  instead of\n  "
                  + before.get(table)));
    }
  }
}
