package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.node.MemoryNode;

/**
 * Statements from public bug reports of other databases, on each kind of pool. In {@code
 * reported/cases.test} a line with {@code #} begins a case, which has its own database. For the
 * statement before it, {@code ?} has integer parameters, {@code >} the expected rows, and {@code !}
 * the expected SQLState.
 */
@Timeout(240)
class ReportedCasesTest {
  private static final Path CASES = Path.of("src/test/resources/reported/cases.test");
  private static final long BYTES = 64L << 20;

  @TempDir private Path directory;

  enum Pool {
    MEMORY,
    FILES,
    NODE
  }

  /** A statement, its parameters, and the expected result; null if none is given. */
  private record Step(String sql, String parameters, String answer) {}

  private static List<List<Step>> cases() throws IOException {
    List<List<Step>> cases = new ArrayList<>();
    for (String line : Files.readAllLines(CASES)) {
      if (line.startsWith("#")) {
        cases.add(new ArrayList<>());
      } else if (line.startsWith("? ")) {
        Step step = cases.getLast().removeLast();
        cases.getLast().add(new Step(step.sql, line.substring(2), null));
      } else if (line.startsWith("> ") || line.startsWith("! ")) {
        Step step = cases.getLast().removeLast();
        cases.getLast().add(new Step(step.sql, step.parameters, line));
      } else if (!line.isBlank()) {
        cases.getLast().add(new Step(line, "", null));
      }
    }
    return cases;
  }

  @ParameterizedTest
  @EnumSource
  void shouldReturnExpectedResultsOfReportedCases(Pool pool) throws Exception {
    List<List<Step>> cases = cases();
    assertTrue(cases.size() > 10, "cases: " + cases.size());
    for (int i = 0; i < cases.size(); i++) {
      switch (pool) {
        case MEMORY -> run("jdbc:nelumbo:mem:", cases.get(i));
        case FILES -> run("jdbc:nelumbo:file:" + directory.resolve("case" + i), cases.get(i));
        case NODE -> runOnANode(cases.get(i));
      }
    }
  }

  private static void runOnANode(List<Step> steps) throws Exception {
    try (MemoryNode node =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(BYTES),
            FreshAddress.next(),
            MemoryNode.Options.DEFAULT)) {
      node.start();
      run("jdbc:nelumbo://" + node.address() + "/shop?create=true", steps);
    }
  }

  private static void run(String url, List<Step> steps) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      for (Step step : steps) {
        String answer = answer(connection, step);
        assertEquals(step.answer == null ? "" : step.answer, answer, step.sql);
      }
      connection.createStatement().execute("SHUTDOWN");
    }
  }

  private static String answer(Connection connection, Step step) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(step.sql)) {
      int parameter = 0;
      for (String value : step.parameters.split(" ", -1)) {
        if (!value.isEmpty()) {
          statement.setInt(++parameter, Integer.parseInt(value));
        }
      }
      return statement.execute() ? rows(statement.getResultSet()) : "";
    } catch (SQLException e) {
      if (step.answer == null || !step.answer.startsWith("!")) {
        throw new SQLException(step.sql, e);
      }
      return "! " + e.getSQLState();
    }
  }

  private static String rows(ResultSet result) throws SQLException {
    StringJoiner rows = new StringJoiner("; ", "> ", "");
    while (result.next()) {
      StringJoiner row = new StringJoiner(",");
      for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
        String value = result.getString(i);
        row.add(value == null ? "null" : value.stripTrailing());
      }
      rows.add(row.toString());
    }
    return rows.toString();
  }
}
