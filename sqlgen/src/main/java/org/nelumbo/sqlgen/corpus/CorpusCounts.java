package org.nelumbo.sqlgen.corpus;

import java.util.Locale;

/**
 * How many statements of a file came out how.
 *
 * @param statements all of them
 * @param passed answered as expected
 * @param refused not supported: SQLState 0A000
 * @param failed ended by another error than expected
 * @param wrong answered, but otherwise than expected
 */
record CorpusCounts(int statements, int passed, int refused, int failed, int wrong) {
  static final CorpusCounts NONE = new CorpusCounts(0, 0, 0, 0, 0);

  /** What can come of a statement. */
  enum Verdict {
    PASSED,
    REFUSED,
    FAILED,
    WRONG
  }

  CorpusCounts with(Verdict verdict) {
    return plus(
        new CorpusCounts(
            1,
            verdict == Verdict.PASSED ? 1 : 0,
            verdict == Verdict.REFUSED ? 1 : 0,
            verdict == Verdict.FAILED ? 1 : 0,
            verdict == Verdict.WRONG ? 1 : 0));
  }

  CorpusCounts plus(CorpusCounts other) {
    return new CorpusCounts(
        statements + other.statements,
        passed + other.passed,
        refused + other.refused,
        failed + other.failed,
        wrong + other.wrong);
  }

  /** The share of statements that passed, as a percentage. */
  double share() {
    return statements == 0 ? 100 : 100.0 * passed / statements;
  }

  /** A row of a table, as Markdown. */
  String row(String area) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %d | %d | %d | %d | %.1f %% |",
        area,
        statements,
        passed,
        refused,
        failed,
        wrong,
        share());
  }
}
