package org.nelumbo.sqlgen;

/**
 * A check that all ways to store a value store the same, either the whole value or an error. A text
 * column takes a value if and only if its text fits, not counting trailing blanks.
 */
final class AssignmentChecks {
  private static final String TOO_LONG = "22001";

  private final AssignmentMaker maker;
  private int statements;

  AssignmentChecks(Dice dice) {
    this.maker = new AssignmentMaker(dice);
  }

  int statements() {
    return statements;
  }

  /** Stores one value in all ways; returns null if every check passes. */
  FailedCheck check(DatabaseSession session) {
    AssignmentMaker.Assignment assignment = maker.assignment();
    String expected = null;
    String first = null;
    for (AssignmentMaker.Way way : maker.ways(assignment)) {
      String result = result(session, way);
      if (expected == null) {
        expected = assignment.length() == 0 ? result : expected(session, assignment, result);
        first = String.join("; ", way.statements());
      }
      if (!result.equals(expected)) {
        return new FailedCheck(
            "assignment",
            String.join("; ", way.statements())
                + "\n  has stored "
                + result
                + "\n  not "
                + expected
                + "\n  as "
                + first);
      }
    }
    return null;
  }

  private String result(DatabaseSession session, AssignmentMaker.Way way) {
    maker.drops().forEach(drop -> run(session, drop));
    Outcome outcome = null;
    for (String statement : way.statements()) {
      outcome = run(session, statement);
    }
    String result =
        switch (outcome) {
          case Outcome.Failure failure -> failure.sqlState();
          case Outcome.Fault fault -> fault.toString();
          default -> shown(run(session, maker.stored()));
        };
    maker.drops().forEach(drop -> run(session, drop));
    return result;
  }

  private static String shown(Outcome outcome) {
    return outcome instanceof Outcome.Rows rows && rows.rows().size() == 1
        ? rows.rows().getFirst().replaceFirst(" +'$", "'")
        : outcome.toString();
  }

  /** Returns the expected content of a text column: the text of the value if it fits. */
  private String expected(
      DatabaseSession session, AssignmentMaker.Assignment assignment, String result) {
    if (!(run(session, maker.asText(assignment)) instanceof Outcome.Rows rows)) {
      return result;
    }
    String text = rows.rows().getFirst().replaceFirst(" +'$", "'");
    int length = text.codePointCount(1, text.length() - 1);
    return length > assignment.length() ? TOO_LONG : text;
  }

  private Outcome run(DatabaseSession session, String statement) {
    statements++;
    return session.run(statement);
  }
}
