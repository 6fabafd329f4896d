package org.nelumbo.sqlgen.corpus;

import java.util.Locale;

/**
 * The number of statements of a file by verdict.
 *
 * @param statements all statements
 * @param passed statements with the expected result
 * @param refused unsupported statements: SQLState 0A000
 * @param failed statements that failed with an unexpected error
 * @param wrong statements with an unexpected result
 */
record CorpusCounts(int statements, int passed, int refused, int failed, int wrong) {
  static final CorpusCounts NONE = new CorpusCounts(0, 0, 0, 0, 0);

  /** The verdict on a statement. */
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

  /** Returns the percentage of statements that passed. */
  double share() {
    return statements == 0 ? 100 : 100.0 * passed / statements;
  }

  /** Returns a row of a Markdown table. */
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
