package org.nelumbo.jdbc.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Compares changes of rows with the same changes and a RETURNING clause, which Calcite validates
 * and converts. Both must have the same effect, or fail with the same error. {@code
 * -Dnelumbo.test.jvm=-Dnelumbo.plain.changes=100000} makes a longer run, {@code -Dnelumbo.seed}
 * sets another seed.
 */
class PlainChangeTest {
  private static final int CHANGES = Integer.getInteger("nelumbo.plain.changes", 1_000);

  private static final List<String> COLUMNS =
      List.of(
          "i", "l", "s", "n", "m", "f", "r", "v", "c", "b", "d", "ts", "x", "u", "dv", "g", "k");

  private static final List<String> LITERALS =
      List.of(
          "NULL",
          "DEFAULT",
          "0",
          "-5",
          "+7",
          "40000",
          "3000000000",
          "99999999999999999999",
          "1.5",
          "0.005",
          "1.5E0",
          "'abc'",
          "''",
          "'a longer text than the column'",
          "'12'",
          "'1.25'",
          "'true'",
          "'2020-01-02'",
          "'2020-13-45'",
          "'today'",
          "'2020-01-02 03:04:05.678'",
          "'00000000-0000-0000-0000-000000000001'",
          "TRUE",
          "FALSE",
          "DATE '2021-02-03'",
          "TIMESTAMP '2021-02-03 04:05:06'",
          "X'00ff'",
          "1 + 1",
          "CURRENT_DATE");

  private static final List<String> NUMBERS =
      List.of(
          "NULL", "DEFAULT", "0", "-5", "+7", "4000", "1.5", "0.005", "'12'", "'1.25'", "-12.75");

  private static final List<String> TEXTS =
      List.of("NULL", "DEFAULT", "''", "'abc'", "'d'", "'ab '", "'it''s'", "12");

  private static final List<String> TIMES =
      List.of("NULL", "DEFAULT", "'2020-01-02'", "'2020-01-02 03:04:05.678'", "'2021-12-31'");

  private static final List<Object> VALUES =
      List.of(
          5,
          -7L,
          40_000,
          3_000_000_000L,
          new BigDecimal("1.505"),
          2.5,
          1.5f,
          "abc",
          "12",
          "x",
          "a longer text than the column",
          "2020-01-02",
          true,
          Date.valueOf("2021-02-03"),
          Timestamp.valueOf("2021-02-03 04:05:06.7"),
          new byte[] {0, -1},
          new UUID(0, 1));

  /** Conditions and values of an UPDATE over the columns. */
  private static final List<String> EXPRESSIONS =
      List.of(
          "i + 1", "n * 2", "l - s", "v", "c", "d", "i", "f / 2", "- s", "m + ?", "COALESCE(i, 7)");

  private static final List<String> CONDITIONS =
      List.of(
          "i = 1",
          "i = ?",
          "? < l",
          "v = 'b'",
          "v = ?",
          "c >= ?",
          "n BETWEEN ? AND ?",
          "i IN (1, 2)",
          "i IN (?, ?)",
          "d = ?",
          "d <= DATE '2021-01-01'",
          "b = TRUE",
          "b = ?",
          "u = ?",
          "v IS NOT NULL",
          "1 = 0",
          "i = i + 1",
          "f > 1.5 OR s < 0");

  private static final String[] TABLES = {"p", "q"};

  private static final Pattern CAST =
      Pattern.compile("^cannot cast|: Cast function cannot convert");

  private final long seed = Long.getLong("nelumbo.seed", 20_261_130);
  private final Random random = new Random(seed);

  @Test
  void shouldInsertAsCalcite() throws SQLException {
    try (Connection connection = open()) {
      int stored = 0;
      for (int i = 0; i < CHANGES; i++) {
        Change insert = insert();
        stored += compare(connection, "INSERT INTO %s ", insert).startsWith("rows") ? 1 : 0;
        try (Statement statement = connection.createStatement()) {
          for (String table : TABLES) {
            statement.execute("DELETE FROM " + table);
            statement.execute("ALTER TABLE " + table + " ALTER COLUMN g RESTART WITH 1");
            statement.execute("ALTER TABLE " + table + " ALTER COLUMN k RESTART WITH 1");
          }
        }
      }
      assertTrue(stored > CHANGES / 8, stored + " of " + CHANGES + " were stored");
    }
  }

  @Test
  void shouldUpdateAndDeleteAsCalcite() throws SQLException {
    try (Connection connection = open()) {
      int changed = 0;
      for (int i = 0; i < CHANGES; i++) {
        try (Statement statement = connection.createStatement()) {
          for (String table : TABLES) {
            statement.execute("DELETE FROM " + table);
            statement.execute(
                "INSERT INTO "
                    + table
                    + " (i, l, s, n, m, f, r, v, c, b, d, ts, u, g) VALUES (1, 2, 3, 1.25, 4.5,"
                    + " 1.5, 2.5, 'a', 'abcd', TRUE, DATE '2020-01-02', TIMESTAMP '2020-01-02"
                    + " 03:04:05', '00000000-0000-0000-0000-000000000001', 1), (2, 5, -3, -0.05, 4,"
                    + " 7, 1, 'b', 'x', FALSE, DATE '2021-02-03', NULL, NULL, 2), (NULL, NULL,"
                    + " NULL, NULL, NULL, NULL, NULL, NULL, NULL, FALSE, NULL, NULL, NULL, 3)");
          }
        }
        boolean isDelete = random.nextInt(4) == 0;
        String outcome =
            isDelete
                ? compare(connection, "DELETE FROM %s ", delete())
                : compare(connection, "UPDATE %s SET ", update());
        changed += outcome.startsWith("rows") ? 1 : 0;
      }
      assertTrue(changed > CHANGES / 4, changed + " of " + CHANGES + " had an effect");
    }
  }

  private static Connection open() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:nelumbo:mem:");
    try (Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        statement.execute(
            "CREATE TABLE "
                + table
                + " (i INTEGER, l BIGINT, s SMALLINT, n DECIMAL(10, 2), m NUMERIC, f DOUBLE, r"
                + " REAL, v VARCHAR(10), c CHAR(4), b BOOLEAN NOT NULL DEFAULT TRUE, d DATE, ts"
                + " TIMESTAMP, x VARBINARY(10), u UUID, dv INTEGER DEFAULT -3, g BIGINT GENERATED"
                + " BY DEFAULT AS IDENTITY, k BIGINT GENERATED ALWAYS AS IDENTITY)");
      }
    }
    return connection;
  }

  private String compare(Connection connection, String start, Change change) throws SQLException {
    String fast = outcome(connection, start.formatted("p") + change.text, change.values, "p");
    String full =
        outcome(
            connection, start.formatted("q") + change.text + " RETURNING b", change.values, "q");
    assertEquals(
        full.replaceAll("\\bQ\\b", "P"), fast, () -> "seed " + seed + ": " + start + change);
    return fast;
  }

  private record Change(String text, List<Object> values) {}

  private Change insert() {
    List<String> columns = new ArrayList<>(COLUMNS);
    Collections.shuffle(columns, random);
    columns = columns.subList(0, 1 + random.nextInt(random.nextInt(8) == 0 ? COLUMNS.size() : 3));
    boolean isPrepared = random.nextBoolean();
    List<Object> values = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    int many = random.nextInt(10) == 0 ? 300 : 2 + random.nextInt(3); // 300 keep their literals
    for (int row = random.nextBoolean() ? 1 : many; row > 0; row--) {
      List<String> texts = new ArrayList<>();
      for (String column : columns) {
        if (isPrepared && random.nextInt(3) > 0) {
          texts.add("?");
          values.add(value());
        } else {
          texts.add(literal(column));
        }
      }
      rows.add("(" + String.join(", ", texts) + ")");
    }
    String names = "(" + String.join(", ", columns) + ") ";
    return new Change(names + "VALUES " + String.join(", ", rows), values);
  }

  /** Returns a literal, which suits the column more often than not. */
  private String literal(String column) {
    List<String> some =
        random.nextInt(20) == 0
            ? LITERALS
            : switch (column) {
              case "i", "l", "s", "n", "m", "f", "r", "dv" -> NUMBERS;
              case "v", "c" -> TEXTS;
              case "b" -> List.of("TRUE", "FALSE", "DEFAULT");
              case "d", "ts" -> TIMES;
              case "g" -> List.of("DEFAULT", "17", "'18'");
              case "k" -> List.of("DEFAULT");
              default -> LITERALS;
            };
    return some.get(random.nextInt(some.size()));
  }

  private Change update() {
    List<String> columns = new ArrayList<>(COLUMNS);
    Collections.shuffle(columns, random);
    List<String> assignments = new ArrayList<>();
    for (String column : columns.subList(0, 1 + random.nextInt(2))) {
      List<String> values =
          switch (random.nextInt(3)) {
            case 0 -> List.of("?");
            case 1 -> LITERALS;
            default -> EXPRESSIONS;
          };
      assignments.add(column + " = " + values.get(random.nextInt(values.size())));
    }
    return withValues(String.join(", ", assignments) + where());
  }

  private Change delete() {
    return withValues(where());
  }

  private String where() {
    if (random.nextInt(5) == 0) {
      return "";
    }
    String condition = CONDITIONS.get(random.nextInt(CONDITIONS.size()));
    return " WHERE "
        + (random.nextInt(3) > 0
            ? condition
            : condition + " AND " + CONDITIONS.get(random.nextInt(CONDITIONS.size())));
  }

  private Change withValues(String text) {
    List<Object> values = new ArrayList<>();
    for (long i = text.chars().filter(each -> each == '?').count(); i > 0; i--) {
      values.add(value());
    }
    return new Change(text, values);
  }

  private Object value() {
    return random.nextInt(8) == 0 ? null : VALUES.get(random.nextInt(VALUES.size()));
  }

  private static String outcome(
      Connection connection, String sql, List<Object> values, String table) throws SQLException {
    StringBuilder types = new StringBuilder();
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (int i = 1; i <= values.size(); i++) {
        types.append(insert.getParameterMetaData().getParameterTypeName(i)).append(' ');
        insert.setObject(i, values.get(i - 1));
      }
      insert.execute();
    } catch (SQLException e) {
      // Calcite may find a literal that is out of range, or of another kind, when it plans
      boolean mayDiffer = e.getSQLState().equals("22003") || CAST.matcher(e.getMessage()).find();
      return mayDiffer ? e.getSQLState() : types + e.getSQLState() + " " + e.getMessage();
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
      StringBuilder row = new StringBuilder("rows " + types);
      while (rows.next()) {
        for (int i = 1; i <= COLUMNS.size(); i++) {
          row.append(rows.getString(i)).append('|');
        }
      }
      return row.toString();
    }
  }
}
