package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.url.ConnectionProperty;

/**
 * Checks {@code docs/guide/jdbc.md}: its tables are complete, and its example is the code below,
 * which works.
 */
class DocumentTest {
  private static final int MOST_ATTEMPTS = 1000;
  private static final int THREADS = 4;
  private static final int ROUNDS = 20;

  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  // begin of the example
  static <T> T inTransaction(DataSource source, Work<T> work) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (SQLException e) { // closing the connection rolled back
        if (!"40001".equals(e.getSQLState()) || attempt == MOST_ATTEMPTS) {
          throw e;
        }
      }
      long pause = ThreadLocalRandom.current().nextLong(50_000L << Math.min(attempt, 8));
      LockSupport.parkNanos(pause); // so that two do not conflict repeatedly
    }
  }

  // end of the example

  private static String page() throws IOException {
    return Files.readString(Path.of("../docs/guide/jdbc.md"));
  }

  private static int increment(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      int before;
      try (ResultSet row = statement.executeQuery("SELECT n FROM counter WHERE id = 1")) {
        assertTrue(row.next());
        before = row.getInt(1);
      }
      statement.executeUpdate("UPDATE counter SET n = " + (before + 1) + " WHERE id = 1");
      return before;
    }
  }

  @Test
  void shouldLoseNoUpdateInDocumentedRetryLoop() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m");
    config.setMaximumPoolSize(THREADS);
    config.setAutoCommit(false);
    config.setSchema("PUBLIC");
    try (HikariDataSource source = new HikariDataSource(config);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      execute(source, "CREATE TABLE counter (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)");
      execute(source, "INSERT INTO counter VALUES (1, 0)");
      List<Future<Void>> runs = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        runs.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < ROUNDS; round++) {
                    int _ = inTransaction(source, DocumentTest::increment);
                  }
                  return null;
                }));
      }
      for (Future<Void> run : runs) {
        run.get();
      }
      assertEquals(THREADS * ROUNDS, inTransaction(source, DocumentTest::increment));
      assertEquals(
          "42S02",
          assertThrows(SQLException.class, () -> execute(source, "DELETE FROM nosuch"))
              .getSQLState());
    }
    try (Connection last = DriverManager.getConnection(config.getJdbcUrl());
        Statement shutdown = last.createStatement()) {
      shutdown.execute("SHUTDOWN");
    }
  }

  private static void execute(DataSource source, String sql) throws SQLException {
    boolean _ =
        inTransaction(
            source,
            connection -> {
              try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
              }
            });
  }

  @Test
  void shouldShowTheExampleThatIsTested() throws IOException {
    String source = Files.readString(Path.of("src/test/java/org/nelumbo/jdbc/DocumentTest.java"));
    int begin = source.indexOf("// begin of the example\n");
    int end = source.indexOf("  // end of the example");
    String example =
        source.substring(source.indexOf('\n', begin) + 1, end).stripTrailing().stripIndent();
    assertTrue(page().contains("```java\n" + example + "\n```"), example);
  }

  @Test
  void shouldListEveryPropertyWithItsDefault() throws IOException {
    String page = page();
    for (ConnectionProperty property : ConnectionProperty.values()) {
      String value = property.defaultValue();
      String row = "| `" + property.key() + "` |" + (value.isEmpty() ? " |" : " `" + value + "` |");
      assertTrue(page.contains(row), row);
    }
  }

  @Test
  void shouldExplainEverySqlState() throws IOException {
    String page = page();
    String table = page.substring(page.indexOf("## SQLStates"), page.indexOf("## Types"));
    for (ErrorCode code : ErrorCode.values()) {
      assertTrue(table.contains(code.sqlState()), code.name());
    }
  }

  @Test
  void shouldDocumentErrorsThatEndTransaction() throws IOException {
    String page = page();
    assertTrue(page.contains("| " + sqlStates(ErrorCode::isRetryable) + " | has been rolled back"));
    assertTrue(page.contains("| " + sqlStates(ErrorCode::unknownOutcome) + " | is over"));
    Predicate<ErrorCode> ends =
        code -> code.endsTransaction() && !code.isRetryable() && !code.unknownOutcome();
    String always = sqlStates(ends.and(code -> !alsoOfRefusals(code)));
    assertTrue(page.contains("| " + always + " | has been rolled back, or"), always);
    String sometimes = sqlStates(ends.and(DocumentTest::alsoOfRefusals));
    assertTrue(page.contains("| " + sometimes + " if the message says so"), sometimes);
  }

  /**
   * Returns true if an error that leaves the transaction open has the same SQLState as this error.
   */
  private static boolean alsoOfRefusals(ErrorCode code) {
    return Arrays.stream(ErrorCode.values())
        .anyMatch(other -> other.sqlState().equals(code.sqlState()) && !other.endsTransaction());
  }

  private static String sqlStates(Predicate<ErrorCode> kind) {
    return Arrays.stream(ErrorCode.values())
        .filter(kind)
        .map(ErrorCode::sqlState)
        .collect(Collectors.joining(", "));
  }
}
