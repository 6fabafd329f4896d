package org.nelumbo.sqlgen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.sqlgen.OutcomeComparison.Verdict;

/**
 * The tested database and a reference database. Each statement runs in both, and the outcomes are
 * compared. The pair keeps a log of the statements that changed data, for defect reports.
 */
final class DatabasePair {
  private static final String CANCELLED = "57014";
  private static final int FIRST_PREPARED_PERCENT = 50;
  private static final int LATER_PREPARED_PERCENT = 95;

  private final long seed;
  private final Dice dice;
  private final List<DatabaseSession> tested;
  private final DatabaseSession other;
  private final Recording.Recorder recorder;
  private final List<String> log = new ArrayList<>();
  private final List<FailedCheck> findings = new ArrayList<>();
  private final Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
  private int statements;
  private boolean diverged;

  /**
   * Creates a pair of databases without tables of this round.
   *
   * @param seed seed of the round, for defect reports
   * @param tested sessions of the tested database
   * @param other a session of the reference database
   * @param recorder records the outcomes of the reference database
   */
  DatabasePair(
      long seed,
      Dice dice,
      List<DatabaseSession> tested,
      DatabaseSession other,
      Recording.Recorder recorder) {
    this.seed = seed;
    this.dice = dice;
    this.tested = tested;
    this.other = other;
    this.recorder = recorder;
    record(() -> recorder.start(seed));
  }

  /** Returns the number of statements that the tested database has run. */
  int statements() {
    return statements;
  }

  Map<Verdict, Integer> verdicts() {
    return verdicts;
  }

  List<FailedCheck> findings() {
    return findings;
  }

  /**
   * Returns true if the databases have not diverged, as far as is known, and no check has failed.
   */
  boolean isAlike() {
    return !diverged && findings.isEmpty();
  }

  /** Returns true if the reference database is PostgreSQL. */
  boolean isBesidePostgresql() {
    return other.isPostgresql();
  }

  /** Returns a random session of the tested database. */
  DatabaseSession session() {
    return dice.any(tested);
  }

  /** Returns another session of the tested database; null if there is only one. */
  DatabaseSession sessionBeside(DatabaseSession session) {
    return tested.stream().filter(each -> each != session).findAny().orElse(null);
  }

  void add(FailedCheck finding) {
    String text =
        finding.text()
            + "\n  seed of the round "
            + seed
            + ", after:\n    "
            + String.join(";\n    ", log);
    findings.add(new FailedCheck(finding.kind(), text));
  }

  /** Drops a table in both databases if it exists. */
  void drop(String table) {
    String statement = "DROP TABLE IF EXISTS " + table + " CASCADE";
    other.run(statement);
    record(() -> recorder.run(plain(statement), new Outcome.Count(0)));
    if (tested.getFirst().run(statement) instanceof Outcome.Fault fault) {
      add(new FailedCheck("fault", statement + "\n  " + fault));
    }
  }

  /** Runs a statement in both databases and compares the outcomes. */
  Outcome run(DatabaseSession session, GeneratedStatement statement) {
    return run(session, statement, FIRST_PREPARED_PERCENT);
  }

  private Outcome run(DatabaseSession session, GeneratedStatement statement, int percent) {
    boolean prepared = dice.chance(percent) && statement.hasParameters();
    Outcome outcome =
        prepared
            ? session.run(statement.prepared(), statement.values())
            : session.run(statement.plain());
    return compare(session, statement, prepared, outcome);
  }

  static boolean isCancelled(Outcome outcome) {
    return outcome instanceof Outcome.Failure failure && CANCELLED.equals(failure.sqlState());
  }

  /**
   * Runs a statement in the tested database and cancels it. If it ends before the cancellation, the
   * reference database runs it, too.
   */
  Outcome runCancelled(DatabaseSession session, GeneratedStatement statement, long afterMicros)
      throws InterruptedException {
    Outcome outcome = session.cancelled(statement.plain(), afterMicros);
    if (isCancelled(outcome)) {
      log.add("-- cancelled: " + statement.plain());
      return outcome;
    }
    return compare(session, statement, false, outcome);
  }

  private Outcome compare(
      DatabaseSession session, GeneratedStatement statement, boolean prepared, Outcome outcome) {
    statements++;
    String text = statement.plain();
    Outcome others = other.run(text);
    record(() -> recorder.run(statement, others));
    Verdict verdict = OutcomeComparison.compare(statement, outcome, others);
    verdicts.merge(verdict, 1, Integer::sum);
    if (!statement.isQuery()) {
      log.add(text);
      diverged |= (outcome instanceof Outcome.Count) != (others instanceof Outcome.Count);
    }
    if (verdict == Verdict.DIFFERENT) {
      add(
          new FailedCheck(
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

  /** Runs a query again with other constants, which may use the same plan. */
  void runAgain(DatabaseSession session, GeneratedStatement statement, int times) {
    for (int i = 0; i < times && statement.hasParameters() && isAlike(); i++) {
      run(session, statement.redrawn(dice), LATER_PREPARED_PERCENT);
    }
  }

  /** Compares all rows of a table. */
  void compareRows(DatabaseSession session, Table table) {
    if (isAlike()) {
      compare(session, rows(table), false, session.run(rows(table).plain()));
    }
  }

  private static GeneratedStatement rows(Table table) {
    return plain("SELECT * FROM " + table.name);
  }

  private static GeneratedStatement plain(String text) {
    return new GeneratedStatement(text, List.of(), false, false);
  }

  private interface RecordedStep {
    void write() throws IOException;
  }

  private static void record(RecordedStep step) {
    try {
      step.write();
    } catch (IOException e) {
      throw new UncheckedIOException("the recording cannot be written", e);
    }
  }

  /** Returns all rows of a table in one session of the tested database. */
  Outcome look(DatabaseSession session, Table table) {
    statements++;
    Outcome outcome = session.run(rows(table).plain());
    return outcome instanceof Outcome.Rows rows ? rows.sorted() : outcome;
  }

  /** Begins a transaction in both databases. */
  void begin(DatabaseSession session, boolean readOnly) {
    record(() -> recorder.begin(readOnly));
    control("begin", session.begin(readOnly), other.begin(readOnly));
  }

  void commit(DatabaseSession session) {
    record(() -> recorder.end(true));
    control("COMMIT", session.end(true), other.end(true));
  }

  void rollback(DatabaseSession session) {
    record(() -> recorder.end(false));
    control("ROLLBACK", session.end(false), other.end(false));
  }

  /**
   * Ends the transaction after DDL, which has committed the statements before it. Rolls the tested
   * database back if the DDL has succeeded.
   */
  void endAfterDefinition(DatabaseSession session, boolean defined) {
    record(() -> recorder.end(!defined));
    control("end after DDL", session.end(!defined), other.end(true));
  }

  /** Runs a transaction control statement in both databases. */
  void control(DatabaseSession session, String sql) {
    record(() -> recorder.run(plain(sql), new Outcome.Count(0)));
    control(sql, session.run(sql), other.run(sql));
  }

  /**
   * Releases a savepoint. Errors of the reference database are ignored: not all databases have the
   * statement, and savepoint names are unique.
   */
  void release(DatabaseSession session, String savepoint) {
    String sql = "RELEASE SAVEPOINT " + savepoint;
    other.run(sql);
    record(() -> recorder.run(plain(sql), new Outcome.Count(0)));
    control(sql, session.run(sql), new Outcome.Count(0));
  }

  private void control(String what, Outcome outcome, Outcome others) {
    statements++;
    log.add(what);
    if (!(outcome instanceof Outcome.Count) || !(others instanceof Outcome.Count)) {
      add(new FailedCheck("transaction", what + "\n  tested: " + outcome + "\n  other: " + others));
    }
  }
}
