package org.nelumbo.database.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.nelumbo.executor.plan.ExplainedOperator;
import org.nelumbo.executor.plan.OperatorStatistics;
import org.nelumbo.parser.ast.ExplainOptions;
import org.nelumbo.planner.frontend.PlanTimes;

/**
 * Formats an explanation as lines of text: an indented tree of operators, then the whole statement.
 */
final class TextExplanation {
  private static final long NANOS_PER_MICRO = 1_000;

  private final ExplainOptions options;
  private final List<Object[]> lines = new ArrayList<>();

  private TextExplanation(ExplainOptions options) {
    this.options = options;
  }

  static List<Object[]> of(Explanation explanation, ExplainOptions options) {
    TextExplanation text = new TextExplanation(options);
    text.add(explanation.plan(), 0);
    text.addTotals(explanation);
    return text.lines;
  }

  private void add(String line) {
    lines.add(new Object[] {line});
  }

  private void add(ExplainedOperator node, int depth) {
    StringBuilder line = new StringBuilder().repeat("  ", depth).append(node.text());
    OperatorStatistics measured = node.statistics();
    if (measured != null) {
      line.append(" rows=").append(measured.rows());
    }
    if (options.costs()) {
      append(line, " estimated=", node.expectedRows());
      append(line, " cost=", node.expectedCost());
    }
    if (measured != null) {
      line.append(measured.opens() == 1 ? "" : " opens=" + measured.opens());
      line.append(measured.verbs());
      line.append(measured.spilledBytes() == 0 ? "" : " spilled=" + measured.spilledBytes());
      line.append(time(measured.nanos()));
    }
    add(line.toString());
    node.inputs().forEach(input -> add(input, depth + 1));
  }

  private static void append(StringBuilder line, String name, double value) {
    if (value >= 0) {
      line.append(name).append(Math.round(value));
    }
  }

  private String time(long nanos) {
    return options.timing() ? " us=" + nanos / NANOS_PER_MICRO : "";
  }

  private void addPlanning(Explanation explanation) {
    if (options.showsPlanning()) {
      StringBuilder line = new StringBuilder("Planning");
      line.append(time(explanation.planning().total()));
      for (PlanTimes.Stage stage : PlanTimes.Stage.values()) {
        line.append(' ').append(stage.name().toLowerCase(Locale.ROOT)).append('-');
        line.append(time(explanation.planning().of(stage)).strip());
      }
      add(line.append(explanation.isPlanCached() ? " (cached plan)" : "").toString());
    }
  }

  private void addTotals(Explanation explanation) {
    addPlanning(explanation);
    Explanation.Total statement = explanation.statement();
    if (statement != null) {
      String memory = statement.memory() == 0 ? "" : " memory=" + statement.memory();
      add(
          "Statement rows="
              + statement.rows()
              + statement.verbs()
              + time(statement.nanos())
              + memory);
      if (!statement.verbs().isCounted()) {
        add("(round trips are counted in transactions that begin after this statement)");
      }
    }
    Explanation.Total commit = explanation.commit();
    if (commit != null) {
      add("Commit" + commit.verbs() + time(commit.nanos()));
    }
  }
}
