package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.sqlgen.OutcomeComparison.Verdict;
import org.nelumbo.sqlgen.TableMaker.Definition;

/**
 * One run from a seed: makes tables and rows in the tested database and in another one, then
 * queries and changes them, and drops them. It ends early when the two have come to differ.
 */
final class Round {
  private static final int TABLES = 3;
  private static final int ROWS_FIRST = 12;

  private final long seed;
  private final Dice dice;
  private final List<DatabaseSession> tested;
  private final DatabaseSession other;
  private final List<Table> tables = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private final Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
  private int statements;
  private boolean diverged;

  /**
   * A round.
   *
   * @param tested sessions of the tested database
   * @param other a session of the other one
   */
  Round(long seed, List<DatabaseSession> tested, DatabaseSession other) {
    this.seed = seed;
    this.dice = new Dice(seed);
    this.tested = tested;
    this.other = other;
  }

  /** How many statements the tested database has run. */
  int statements() {
    return statements;
  }

  Map<Verdict, Integer> verdicts() {
    return verdicts;
  }

  /** Runs about so many statements; returns what was wrong. */
  List<Finding> run(int count) throws InterruptedException {
    TableMaker maker = new TableMaker(dice);
    QueryMaker queries = new QueryMaker(dice, tables);
    ChangeMaker changes = new ChangeMaker(dice, tables);
    SelfChecks checks = new SelfChecks(dice, tables);
    for (int i = 0; i < TABLES; i++) {
      drop("t" + i); // of a run that was ended
      Table table = maker.table("t" + i);
      both(new GeneratedStatement(TableMaker.create(table), List.of(), false, false));
      tables.add(table);
      both(changes.insert(table, 1 + dice.below(ROWS_FIRST)));
    }
    while (statements + checks.statements() < count && !diverged && findings.isEmpty()) {
      switch (dice.below(20)) {
        case 0 -> define(maker);
        case 1, 2, 3, 4 -> change(changes);
        case 5, 6, 7, 8, 9, 10 -> both(queries.query());
        default -> {
          Finding finding = checks.check(dice.any(tested));
          if (finding != null) {
            add(finding);
          }
        }
      }
    }
    for (Table table : tables) {
      drop(table.name);
    }
    statements += checks.statements();
    return findings;
  }

  private void drop(String table) {
    String statement = "DROP TABLE " + table;
    other.run(statement);
    if (tested.getFirst().run(statement) instanceof Outcome.Fault fault) {
      add(new Finding("fault", statement + "\n  " + fault));
    }
  }

  private void add(Finding finding) {
    String text =
        finding.text()
            + "\n  seed of the round "
            + seed
            + ", after:\n    "
            + String.join(";\n    ", log);
    findings.add(new Finding(finding.kind(), text));
  }

  private void define(TableMaker maker) {
    Table table = dice.any(tables);
    Definition definition = maker.change(table);
    if (both(definition.statement()) instanceof Outcome.Count) {
      definition.whenMade().run();
    }
    compareRows(table);
  }

  private void change(ChangeMaker changes) {
    Table table = dice.any(tables);
    both(changes.change(table));
    compareRows(table);
  }

  private void compareRows(Table table) {
    if (!diverged && findings.isEmpty()) {
      both(new GeneratedStatement("SELECT * FROM " + table.name, List.of(), false, false));
    }
  }

  /** Runs a statement in both databases and compares what it comes to. */
  private Outcome both(GeneratedStatement statement) {
    statements++;
    String text = statement.plain();
    boolean prepared = statement.hasParameters() && dice.chance(50);
    DatabaseSession session = dice.any(tested);
    Outcome outcome =
        prepared ? session.run(statement.prepared(), statement.values()) : session.run(text);
    Outcome others = other.run(text);
    Verdict verdict = OutcomeComparison.compare(statement, outcome, others);
    verdicts.merge(verdict, 1, Integer::sum);
    boolean query = text.startsWith("SELECT");
    if (!query) {
      log.add(text);
      diverged |= (outcome instanceof Outcome.Count) != (others instanceof Outcome.Count);
    }
    if (verdict == Verdict.DIFFERENT) {
      add(
          new Finding(
              outcome instanceof Outcome.Fault ? "fault" : "difference",
              text
                  + (prepared ? "\n  prepared, with " + statement.values() : "")
                  + "\n  "
                  + session.name()
                  + ": "
                  + outcome
                  + "\n  "
                  + other.name()
                  + ": "
                  + others));
    }
    return outcome;
  }
}
