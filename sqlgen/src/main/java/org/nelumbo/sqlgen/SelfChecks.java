package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/** Checks of the tested database against itself. */
final class SelfChecks {
  private static final int CANCEL_SECONDS_MAX = 20;
  private static final int CANCEL_MICROS_MAX = 15_000;
  private static final int REPEATS = 12;

  private final Dice dice;
  private final List<Table> tables;
  private final QueryMaker queries;
  private int preparedPercent;
  private int statements;

  SelfChecks(Dice dice, List<Table> tables) {
    this.dice = dice;
    this.tables = tables;
    this.queries = new QueryMaker(dice, tables);
  }

  /** Returns the number of statements run. */
  int statements() {
    return statements;
  }

  /** Runs one check; returns null if it passes. */
  FailedCheck check(DatabaseSession session) throws InterruptedException {
    return switch (dice.below(60)) {
      case 0 -> cancellation(session);
      case 1, 2, 3, 4 -> mergedColumns(session);
      default -> checkAnswers(session);
    };
  }

  /**
   * Runs a check whose queries are not cancelled, several times with other constants, which may use
   * the same plan; returns null if it passes.
   */
  FailedCheck checkAnswers(DatabaseSession session) {
    int kind = dice.below(3);
    QueryMaker.Parts parts = queries.parts(false, kind == 2 ? 1 : 3);
    List<String> selected = new ArrayList<>();
    for (Source source : parts.sources()) {
      selected.add(source.alias() + "." + dice.any(source.table().columns).name());
    }
    FailedCheck finding = null;
    preparedPercent = 50;
    for (int i = 1 + dice.below(REPEATS); i > 0 && finding == null; i--) {
      finding =
          switch (kind) {
            case 0 -> partitions(session, parts, selected);
            case 1 -> count(session, parts);
            default -> pivot(session, parts);
          };
      if (!parts.expressions().hasParameters()) {
        return finding;
      }
      parts.expressions().redraw();
      preparedPercent = 95;
    }
    return finding;
  }

  private Outcome run(DatabaseSession session, GeneratedStatement statement) {
    statements++;
    return dice.chance(preparedPercent) && statement.hasParameters()
        ? session.run(statement.prepared(), statement.values())
        : session.run(statement.plain());
  }

  private static FailedCheck fault(String kind, GeneratedStatement statement, Outcome outcome) {
    if (outcome instanceof Outcome.Fault) {
      return new FailedCheck("fault", statement.plain() + "\n  " + outcome);
    }
    boolean wrong =
        outcome instanceof Outcome.Failure failure
            && failure.kind().equals("42")
            && !failure.message().contains("parameter");
    return wrong ? new FailedCheck(kind + " refused", statement.plain() + "\n  " + outcome) : null;
  }

  /**
   * Checks that the rows where a condition is true, false and unknown are together all rows (TLP).
   */
  private FailedCheck partitions(
      DatabaseSession session, QueryMaker.Parts parts, List<String> selected) {
    String all = "SELECT " + String.join(", ", selected) + parts.from();
    List<String> whole = new ArrayList<>();
    List<String> pieces = new ArrayList<>();
    String condition = "(" + parts.condition() + ")";
    for (String where :
        List.of(
            "",
            " WHERE " + condition,
            " WHERE NOT " + condition,
            " WHERE " + condition + " IS NULL")) {
      GeneratedStatement statement = parts.expressions().statement(all + where, false);
      Outcome outcome = run(session, statement);
      FailedCheck fault = fault("TLP", statement, outcome);
      if (fault != null || !(outcome instanceof Outcome.Rows rows)) {
        return fault;
      }
      (where.isEmpty() ? whole : pieces).addAll(rows.rows());
    }
    whole.sort(null);
    pieces.sort(null);
    String text = parts.expressions().statement(all + " WHERE " + condition, false).plain();
    return whole.equals(pieces)
        ? null
        : new FailedCheck("TLP", text + "\n  all " + whole + "\n  partitions " + pieces);
  }

  /**
   * Checks that the number of selected rows equals the number of rows for which the condition is
   * true (NoREC).
   */
  private FailedCheck count(DatabaseSession session, QueryMaker.Parts parts) {
    GeneratedStatement found =
        parts
            .expressions()
            .statement("SELECT COUNT(*)" + parts.from() + " WHERE " + parts.condition(), false);
    GeneratedStatement summed =
        parts
            .expressions()
            .statement(
                "SELECT COALESCE(SUM(CASE WHEN "
                    + parts.condition()
                    + " THEN 1 ELSE 0 END), 0)"
                    + parts.from(),
                false);
    Outcome first = run(session, found);
    Outcome second = run(session, summed);
    FailedCheck fault = fault("NoREC", found, first);
    if (fault == null) {
      fault = fault("NoREC", summed, second);
    }
    if (fault != null || !(first instanceof Outcome.Rows) || !(second instanceof Outcome.Rows)) {
      return fault;
    }
    return first.equals(second)
        ? null
        : new FailedCheck(
            "NoREC", found.plain() + "\n  " + first + "\n  but the sum of it is " + second);
  }

  /** Checks that a row for which a condition is true is selected by it (PQS). */
  private FailedCheck pivot(DatabaseSession session, QueryMaker.Parts parts) {
    String alias = parts.sources().getFirst().alias();
    GeneratedStatement every =
        parts
            .expressions()
            .statement(
                "SELECT "
                    + alias
                    + ".id, CASE WHEN "
                    + parts.condition()
                    + " THEN 1 WHEN NOT ("
                    + parts.condition()
                    + ") THEN 0 ELSE 2 END"
                    + parts.from(),
                false);
    Outcome outcome = run(session, every);
    FailedCheck fault = fault("PQS", every, outcome);
    if (fault != null || !(outcome instanceof Outcome.Rows rows) || rows.rows().isEmpty()) {
      return fault;
    }
    String[] row = dice.any(rows.rows()).split(" \\| ", -1);
    String condition =
        switch (row[1]) {
          case "1" -> parts.condition();
          case "0" -> "NOT (" + parts.condition() + ")";
          default -> "(" + parts.condition() + ") IS NULL";
        };
    String key = dice.chance(50) ? " AND " + alias + ".id = " + row[0] : "";
    GeneratedStatement by =
        parts
            .expressions()
            .statement(
                "SELECT " + alias + ".id" + parts.from() + " WHERE " + condition + key, false);
    Outcome found = run(session, by);
    fault = fault("PQS", by, found);
    if (fault != null || !(found instanceof Outcome.Rows foundRows)) {
      return fault;
    }
    return foundRows.rows().contains(row[0])
        ? null
        : new FailedCheck(
            "PQS", by.plain() + "\n  does not find row " + row[0] + " but " + foundRows);
  }

  private FailedCheck mergedColumns(DatabaseSession session) {
    MergedJoinCheck.Forms forms = new MergedJoinCheck(dice, tables).forms();
    Outcome merged = run(session, forms.merged());
    Outcome written = run(session, forms.written());
    FailedCheck fault = fault("USING", forms.merged(), merged);
    if (fault != null
        || !(merged instanceof Outcome.Rows found)
        || !(written instanceof Outcome.Rows expected)) {
      return fault;
    }
    List<String> rows = new ArrayList<>(found.rows());
    List<String> others = new ArrayList<>(expected.rows());
    rows.sort(null);
    others.sort(null);
    String text = forms.merged().plain() + "\n  but with ON " + forms.written().plain();
    return rows.equals(others)
        ? null
        : new FailedCheck("USING", text + "\n  " + rows + "\n  but with ON " + others);
  }

  private FailedCheck cancellation(DatabaseSession session) throws InterruptedException {
    statements++;
    ExpressionMaker expressions = new ExpressionMaker(dice, tables, false);
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      sources.add(expressions.source());
    }
    StringBuilder from = new StringBuilder(" FROM " + sources.getFirst());
    sources.stream().skip(1).forEach(source -> from.append(" CROSS JOIN ").append(source));
    String select =
        dice.of(
            "SELECT COUNT(*)",
            "SELECT DISTINCT " + sources.get(1).alias() + ".id",
            "SELECT " + sources.get(2).alias() + ".id, COUNT(*)");
    String group = select.contains(", COUNT") ? " GROUP BY " + sources.get(2).alias() + ".id" : "";
    GeneratedStatement statement =
        expressions.statement(
            select + from + " WHERE " + expressions.condition(sources, 2) + group, false);
    long start = System.nanoTime();
    Outcome outcome = session.cancelled(statement.plain(), dice.below(CANCEL_MICROS_MAX));
    long seconds = (System.nanoTime() - start) / 1_000_000_000L;
    if (seconds > CANCEL_SECONDS_MAX) {
      return new FailedCheck("cancel", statement.plain() + "\n  took " + seconds + " s");
    }
    Outcome next = session.run("SELECT COUNT(*) FROM " + sources.getFirst().table().name);
    statements++;
    if (!(next instanceof Outcome.Rows)) {
      return new FailedCheck("cancel", statement.plain() + "\n  and then " + next);
    }
    boolean wrong =
        outcome instanceof Outcome.Failure failure
            && !DatabasePair.isCancelled(failure)
            && !OutcomeComparison.isByData(failure);
    return wrong
        ? new FailedCheck("cancel", statement.plain() + "\n  " + outcome)
        : fault("cancel", statement, outcome);
  }
}
