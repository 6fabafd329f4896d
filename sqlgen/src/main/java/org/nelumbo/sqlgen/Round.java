package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.nelumbo.sqlgen.OutcomeComparison.Verdict;
import org.nelumbo.sqlgen.TableMaker.Definition;

/**
 * One run from a seed: creates tables and rows in the tested database and in a reference database,
 * queries and changes them, and drops them. It ends early when the databases have diverged.
 */
final class Round {
  private static final int TABLES = 3;
  private static final int ROWS_FIRST = 12;
  private static final int REPEATS = 20;
  private static final int RECENT_MAX = 8;
  private static final int CANCEL_MICROS_MAX = 3_000;

  /**
   * Number of parameter checks; one in {@code ASSIGNMENT_SHARE} of them is followed by an
   * assignment check.
   */
  private static final int VALUE_CHECKS = 60;

  private static final int ASSIGNMENT_SHARE = 6;
  private static final int SCENARIO_PERCENT = 15;

  private final Dice dice;
  private final Dice scenarioDice;
  private final DatabasePair pair;
  private final List<Table> tables = new ArrayList<>();
  private final List<GeneratedStatement> recent = new ArrayList<>();
  private final TableMaker maker;
  private final QueryMaker queries;
  private final NestedQueryMaker nestedQueries;
  private final ChangeMaker changes;
  private final SelfChecks checks;
  private final TransactionSteps transactions;
  private final AssignmentChecks assignments;
  private final ParameterChecks parameters;
  private final ScenarioChecks scenarios;

  /**
   * Creates a round.
   *
   * @param tested sessions of the tested database
   * @param other a session of the reference database
   * @param recorder records the outcomes of the reference database
   */
  Round(
      long seed, List<DatabaseSession> tested, DatabaseSession other, Recording.Recorder recorder) {
    this.dice = new Dice(seed);
    this.pair = new DatabasePair(seed, dice, tested, other, recorder);
    this.maker = new TableMaker(dice, tables);
    this.queries = new QueryMaker(dice, tables);
    this.nestedQueries = new NestedQueryMaker(dice, tables);
    this.changes = new ChangeMaker(dice, tables);
    this.checks = new SelfChecks(dice, tables);
    this.transactions = new TransactionSteps(dice, tables, pair, maker, checks);
    this.scenarioDice = new Dice(seed);
    this.scenarios = new ScenarioChecks(scenarioDice, pair);
    Dice own = new Dice(seed);
    this.assignments = new AssignmentChecks(own);
    this.parameters = new ParameterChecks(own);
  }

  /** Returns the number of statements that the tested database has run. */
  int statements() {
    return pair.statements()
        + checks.statements()
        + assignments.statements()
        + parameters.statements();
  }

  Map<Verdict, Integer> verdicts() {
    return pair.verdicts();
  }

  /** Runs about this number of statements; returns the failed checks. */
  List<FailedCheck> run(int count) throws InterruptedException {
    for (int i = TABLES - 1; i >= 0; i--) {
      pair.drop("t" + i); // left by an interrupted run
    }
    for (int i = 0; i < TABLES; i++) {
      Table table = maker.table("t" + i);
      pair.run(
          pair.session(),
          new GeneratedStatement(TableMaker.create(table), List.of(), false, false));
      tables.add(table);
      pair.run(pair.session(), changes.insert(table, 1 + dice.below(ROWS_FIRST)));
    }
    while (statements() < count && pair.isAlike()) {
      step();
      if (pair.isBesidePostgresql() && scenarioDice.chance(SCENARIO_PERCENT) && pair.isAlike()) {
        scenarios.run();
      }
    }
    checkValues();
    for (Table table : tables.reversed()) {
      pair.drop(table.name);
    }
    return pair.findings();
  }

  /** Separate dice, so that recorded rounds do not change. */
  private void checkValues() {
    for (int i = 0; i < VALUE_CHECKS; i++) {
      report(parameters.check(pair.session()));
      if (i % ASSIGNMENT_SHARE == 0) {
        report(assignments.check(pair.session()));
      }
    }
  }

  private void step() throws InterruptedException {
    switch (dice.below(44)) {
      case 0, 1 -> define();
      case 2, 3, 4, 5, 6, 7 -> change();
      case 8 -> cancel();
      case 9, 10 -> transactions.run();
      case 11, 12, 13, 14, 15, 16 -> query();
      case 17, 18, 19, 20, 21, 22, 23, 24, 25, 26 -> {
        recent.removeIf(query -> !query.hasItsColumns(tables));
        if (!recent.isEmpty()) {
          pair.runAgain(pair.session(), dice.any(recent), 1 + dice.below(REPEATS));
        }
      }
      default -> check();
    }
  }

  /**
   * Runs a query, which is repeated later: after changes of rows and tables, and in other sessions.
   */
  private void query() {
    GeneratedStatement query = dice.chance(20) ? nestedQueries.query() : queries.query();
    pair.run(pair.session(), query);
    if (recent.size() == RECENT_MAX) {
      recent.remove(dice.below(RECENT_MAX));
    }
    recent.add(query);
  }

  private void define() {
    Table table = dice.any(tables);
    Definition definition = maker.change(table);
    if (pair.run(pair.session(), definition.statement()) instanceof Outcome.Count) {
      definition.whenMade().run();
    }
    pair.compareRows(pair.session(), table);
  }

  private void check() throws InterruptedException {
    report(checks.check(pair.session()));
  }

  private void report(FailedCheck finding) {
    if (finding != null) {
      pair.add(finding);
    }
  }

  private void change() {
    Table table = dice.any(tables);
    pair.run(pair.session(), changes.change(table));
    pair.compareRows(pair.session(), table);
  }

  /**
   * A cancelled change must have changed nothing or everything, and the session stays usable. The
   * change is repeated afterwards, so that the round continues in the same way in each run.
   */
  private void cancel() throws InterruptedException {
    Table table = dice.any(tables);
    DatabaseSession session = pair.session();
    int micros = dice.below(CANCEL_MICROS_MAX);
    Definition definition =
        dice.chance(20) ? maker.change(table) : new Definition(changes.change(table), () -> {});
    Outcome outcome = pair.runCancelled(session, definition.statement(), micros);
    pair.compareRows(session, table);
    if (DatabasePair.isCancelled(outcome)) {
      outcome = pair.runCancelled(session, definition.statement(), Long.MAX_VALUE);
    }
    if (outcome instanceof Outcome.Count) {
      definition.whenMade().run();
    }
    pair.compareRows(session, table);
  }
}
