package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.sqlgen.OutcomeComparison.Verdict;

/** A run of the steps of a {@link Recording} in a session, which compares their outcomes. */
final class RecordedRun {
  private final DatabaseSession session;
  private final Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
  private final List<FailedCheck> findings = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private boolean diverged;

  RecordedRun(DatabaseSession session) {
    this.session = session;
  }

  Map<Verdict, Integer> verdicts() {
    return verdicts;
  }

  List<FailedCheck> findings() {
    return findings;
  }

  /** Runs all steps; skips the rest of a round after a difference. */
  void run(List<Recording.Step> steps) {
    boolean inTransaction = false;
    for (Recording.Step step : steps) {
      if (step instanceof Recording.Step.Start start) {
        if (inTransaction) {
          session.end(false);
          inTransaction = false;
        }
        log.clear();
        log.add("-- round " + start.seed());
        diverged = false;
      } else if (!diverged) {
        inTransaction = one(step, inTransaction);
      }
    }
  }

  private boolean one(Recording.Step step, boolean inTransaction) {
    switch (step) {
      case Recording.Step.Begin begin -> {
        log.add("begin");
        session.begin(begin.readOnly());
        return true;
      }
      case Recording.Step.End end -> {
        log.add(end.commits() ? "COMMIT" : "ROLLBACK");
        session.end(end.commits());
        return false;
      }
      case Recording.Step.Run run -> compare(run.statement(), run.reference());
      case Recording.Step.Start _ -> throw new IllegalArgumentException("a start inside a round");
    }
    return inTransaction;
  }

  private void compare(GeneratedStatement statement, Outcome reference) {
    Outcome outcome = session.run(statement.plain());
    Verdict verdict = OutcomeComparison.compare(statement, outcome, reference);
    verdicts.merge(verdict, 1, Integer::sum);
    if (verdict == Verdict.DIFFERENT) {
      diverged = true;
      findings.add(
          new FailedCheck(
              "difference",
              statement.plain()
                  + "\n  tested: "
                  + outcome
                  + "\n  recorded: "
                  + reference
                  + "\n  after:\n    "
                  + String.join(";\n    ", log)));
    }
    if (!statement.isQuery()) {
      log.add(statement.plain());
      diverged |= (outcome instanceof Outcome.Count) != (reference instanceof Outcome.Count);
    }
  }
}
