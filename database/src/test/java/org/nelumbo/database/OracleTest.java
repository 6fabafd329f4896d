package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.error.NelumboException;

/**
 * Compares the results of random statements with those of another database on the same data. A
 * failure prints the seed; {@code -Dnelumbo.seed} replaces the fixed seed of the build.
 */
@Timeout(240)
class OracleTest {
  private static final int QUERIES = Integer.getInteger("nelumbo.oracle.queries", 400);
  private static final int CHANGES = 150;

  private final long seed = Long.getLong("nelumbo.seed", 20_261_121);
  private Connection oracle;
  private Database database;
  private Sql sql;

  @BeforeEach
  void open() throws SQLException {
    oracle = DriverManager.getConnection("jdbc:h2:mem:");
    database = openDatabase();
    sql = new Sql(database);
    both(
        "CREATE TABLE t (a INTEGER, b INTEGER, c VARCHAR(5), d DECIMAL(10, 2), PRIMARY KEY (a,"
            + " b))");
    both("CREATE TABLE u (id BIGINT PRIMARY KEY, x INTEGER, y SMALLINT, s VARCHAR(5))");
    both("CREATE INDEX u_x ON u (x, y)");
    both("CREATE INDEX u_s ON u (s)");
    both("CREATE TABLE w (k INTEGER, n INTEGER, m CHAR(3))");
    fill(new Random(seed));
  }

  Database openDatabase() {
    return Sql.memory();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
    oracle.close();
  }

  private void fill(Random random) throws SQLException {
    for (int a = 0; a < 6; a++) {
      for (int b = 0; b < 5; b++) {
        both(
            "INSERT INTO t VALUES ("
                + a
                + ", "
                + b
                + ", "
                + text(random)
                + ", "
                + (random.nextInt(5) == 0 ? "NULL" : random.nextInt(800) / 100.0)
                + ")");
      }
    }
    for (int i = 0; i < 25; i++) {
      both(
          "INSERT INTO u VALUES ("
              + i
              + ", "
              + number(random)
              + ", "
              + number(random)
              + ", "
              + text(random)
              + ")");
      both(
          "INSERT INTO w VALUES ("
              + number(random)
              + ", "
              + number(random)
              + ", "
              + text(random)
              + ")");
    }
  }

  private static String number(Random random) {
    return random.nextInt(6) == 0 ? "NULL" : Integer.toString(random.nextInt(7));
  }

  private static String text(Random random) {
    return random.nextInt(6) == 0
        ? "NULL"
        : "'" + List.of("a", "b", "c", "ab", "bc").get(random.nextInt(5)) + "'";
  }

  private void both(String statement) throws SQLException {
    sql.update(statement);
    try (Statement h2 = oracle.createStatement()) {
      h2.executeUpdate(statement);
    }
  }

  @Test
  void shouldReturnSameRowsAsAnotherDatabase() {
    RandomSql statements = new RandomSql(seed);
    int answered = 0;
    for (int i = 0; i < QUERIES; i++) {
      answered += compare(statements.query()) ? 1 : 0;
    }
    assertTrue(answered > QUERIES / 2, "too few queries said something: " + answered);
  }

  @Test
  void shouldChangeRowsLikeAnotherDatabase() throws SQLException {
    RandomSql statements = new RandomSql(seed);
    for (int i = 0; i < CHANGES; i++) {
      String statement = statements.change();
      long expected;
      try (Statement h2 = oracle.createStatement()) {
        expected = h2.executeUpdate(statement);
      }
      assertEquals(expected, sql.update(statement), () -> statement + "\nseed " + seed);
      for (String table : List.of("t", "u", "w")) {
        compare("SELECT * FROM " + table);
      }
    }
  }

  /**
   * Compares the results of a query and returns true if it had rows. Queries that the oracle
   * refuses are skipped.
   */
  private boolean compare(String query) {
    List<String> expected;
    try (Statement h2 = oracle.createStatement();
        ResultSet rows = h2.executeQuery(query)) {
      expected = rows(rows);
    } catch (SQLException e) {
      return false;
    }
    List<String> actual = new ArrayList<>();
    try {
      sql.query(query, row -> actual.add(row.stream().map(OracleTest::normal).toList().toString()));
    } catch (NelumboException e) {
      throw new AssertionError(query + "\nseed " + seed, e);
    }
    Collections.sort(expected);
    Collections.sort(actual);
    assertEquals(
        expected,
        actual,
        () ->
            query
                + "\nseed "
                + seed
                + "\n"
                + String.join("\n", sql.query("EXPLAIN PLAN FOR " + query)));
    return !expected.isEmpty();
  }

  private static List<String> rows(ResultSet rows) throws SQLException {
    List<String> all = new ArrayList<>();
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        row.add(normal(rows.getString(i)));
      }
      all.add(row.toString());
    }
    return all;
  }

  /** Removes trailing zeros of numbers and trailing blanks of texts. */
  private static String normal(String value) {
    if (value == null || value.equals("null")) {
      return "null";
    }
    try {
      return new BigDecimal(value).stripTrailingZeros().toPlainString();
    } catch (NumberFormatException text) {
      return value.stripTrailing();
    }
  }
}
