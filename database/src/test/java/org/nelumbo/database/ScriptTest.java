package org.nelumbo.database;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.PreparedStatementPlan;

/** Plans and results of the statements in the files of {@code plans} and {@code results}. */
@Timeout(120)
class ScriptTest {
  static Stream<ScriptFile> plans() {
    return ScriptFile.in("plans");
  }

  static Stream<ScriptFile> results() {
    return ScriptFile.in("results");
  }

  @ParameterizedTest
  @MethodSource("plans")
  void shouldPlanAsExpected(ScriptFile file) {
    try (Database database = Sql.memory();
        Sql sql = new Sql(database)) {
      file.run(statement -> reply(() -> explain(sql, statement)));
    }
  }

  @ParameterizedTest
  @MethodSource("results")
  void shouldReturnExpectedResults(ScriptFile file) {
    try (Database database = Sql.memory();
        Sql sql = new Sql(database)) {
      file.run(statement -> reply(() -> run(sql, statement)));
    }
  }

  /** Supplies a text. */
  @FunctionalInterface
  private interface Answer {
    String get();
  }

  private static String reply(Answer reply) {
    try {
      return reply.get();
    } catch (NelumboException e) {
      return "error " + e.sqlState() + ": " + e.getMessage();
    }
  }

  private static String explain(Sql sql, String statement) {
    String first = statement.split("\\s", -1)[0].toUpperCase(java.util.Locale.ROOT);
    return List.of("CREATE", "ALTER", "DROP", "SET").contains(first)
        ? run(sql, statement)
        : String.join("\n", sql.query("EXPLAIN PLAN FOR " + statement));
  }

  private static String run(Sql sql, String statement) {
    PreparedStatementPlan plan = sql.session().prepare(statement);
    if (plan.kind().returnsRows()) {
      return String.join("\n", sql.query(statement));
    }
    long count = sql.update(statement);
    return plan.kind().changesRows() ? count + " rows" : "ok";
  }
}
