package org.nelumbo.sqlgen;

import java.util.Set;

/** Compares the outcome of a statement in the tested database with that in a reference database. */
final class OutcomeComparison {
  /** Classes of errors of data and constraints, which valid statements may have. */
  private static final Set<String> BY_DATA = Set.of("21", "22", "23");

  private OutcomeComparison() {}

  /** The result of a comparison. */
  enum Verdict {
    AGREE,
    /** Both fail, or one fails by data of an expression that need not be evaluated. */
    EXPLAINED,
    /** The reference database cannot run the statement. */
    NOT_COMPARABLE,
    DIFFERENT
  }

  static Verdict compare(GeneratedStatement statement, Outcome tested, Outcome other) {
    return switch (tested) {
      case Outcome.Fault _ -> Verdict.DIFFERENT;
      case Outcome.Rows rows when other instanceof Outcome.Rows others ->
          sameRows(statement, rows, others) ? Verdict.AGREE : Verdict.DIFFERENT;
      case Outcome.Count count when other instanceof Outcome.Count others ->
          !statement.countsRows() || count.equals(others) ? Verdict.AGREE : Verdict.DIFFERENT;
      case Outcome.Failure failure -> failed(statement, failure, other);
      default ->
          other instanceof Outcome.Failure failure
              ? succeeded(statement, failure)
              : Verdict.DIFFERENT;
    };
  }

  /** Returns true if an error is one of data, which a valid statement may have. */
  static boolean isByData(Outcome.Failure failure) {
    return BY_DATA.contains(failure.kind());
  }

  private static boolean sameRows(GeneratedStatement statement, Outcome.Rows a, Outcome.Rows b) {
    return statement.ordered() ? a.equals(b) : a.sorted().equals(b.sorted());
  }

  private static Verdict failed(
      GeneratedStatement statement, Outcome.Failure failure, Outcome other) {
    if (failure.sqlState().equals("0A000")) {
      return Verdict.NOT_COMPARABLE;
    } else if (other instanceof Outcome.Failure others) {
      boolean same = failure.kind().equals(others.kind());
      return same
          ? Verdict.AGREE
          : BY_DATA.contains(others.kind()) && !statement.fallible()
              ? Verdict.DIFFERENT
              : Verdict.EXPLAINED;
    }
    return statement.fallible() && BY_DATA.contains(failure.kind())
        ? Verdict.EXPLAINED
        : Verdict.DIFFERENT;
  }

  private static Verdict succeeded(GeneratedStatement statement, Outcome.Failure other) {
    if (!BY_DATA.contains(other.kind())) {
      return Verdict.NOT_COMPARABLE;
    }
    return statement.fallible() ? Verdict.EXPLAINED : Verdict.DIFFERENT;
  }
}
