package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters with every operator, next to columns of every type, set to values of every kind. */
class ParameterTableTest {
  /** Numeric columns, each with the two values it holds. */
  private static final Map<String, List<String>> COLUMNS =
      new TreeMap<>(
          Map.of(
              "i", List.of("1", "3"),
              "bi", List.of("10", "20"),
              "d", List.of("1.50", "0.30"),
              "f", List.of("1.5", "0.25"),
              "n", List.of("1.239", "5000000000")));

  private static final List<Object> NUMBERS =
      List.of(
          3,
          -1,
          5_000_000_000L,
          new BigDecimal("1.5"),
          new BigDecimal("1.239"),
          new BigDecimal("1E+25"),
          new BigDecimal("0.00000000000001"),
          2.7,
          0.1 + 0.2,
          1e30,
          0.3f);

  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:");
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (id INT PRIMARY KEY, i INT, bi BIGINT, d DECIMAL(10, 2), f DOUBLE"
              + " PRECISION, v VARCHAR(20), da DATE, ts TIMESTAMP, b BOOLEAN, n NUMERIC, u UUID)");
      statement.execute("CREATE INDEX t_i ON t (i)");
      statement.execute("CREATE INDEX t_d ON t (d)");
      statement.execute("CREATE INDEX t_n ON t (n)");
      statement.execute(
          "INSERT INTO t VALUES (1, 1, 10, 1.5, 1.5, 'a_b', DATE '2024-01-01', TIMESTAMP"
              + " '2024-01-01 12:00:00', TRUE, 1.239, NULL), (2, 3, 20, 0.3, 0.25, 'axb', DATE '2024-01-02',"
              + " TIMESTAMP '2024-01-02 12:00:00', FALSE, 5e9,"
              + " '6ba7b810-9dad-11d1-80b4-00c04fd430c8')");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private String run(String sql, Object... values) throws SQLException {
    List<String> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(rows.getString(1));
        }
      }
    }
    return String.join(",", found);
  }

  /** Compares as PostgreSQL does: exactly, or as double precision if one operand is inexact. */
  private static int compare(String column, String value, Object parameter) {
    boolean inexact =
        column.equals("f") || parameter instanceof Double || parameter instanceof Float;
    BigDecimal left = new BigDecimal(value);
    BigDecimal right = new BigDecimal(parameter.toString());
    return inexact
        ? Double.compare(left.doubleValue(), right.doubleValue())
        : left.compareTo(right);
  }

  private static boolean holds(String operator, int compared) {
    return switch (operator) {
      case "=" -> compared == 0;
      case "<>" -> compared != 0;
      case "<" -> compared < 0;
      case "<=" -> compared <= 0;
      case ">" -> compared > 0;
      default -> compared >= 0;
    };
  }

  @Test
  void shouldCompareNumbersWithNumbers() throws SQLException {
    for (String operator : List.of("=", "<>", "<", "<=", ">", ">=")) {
      for (Map.Entry<String, List<String>> column : COLUMNS.entrySet()) {
        String condition = column.getKey() + " " + operator + " ?";
        String sql = "SELECT id FROM t WHERE " + condition + " ORDER BY id";
        for (Object parameter : NUMBERS) {
          List<String> expected = new ArrayList<>();
          for (int row = 0; row < 2; row++) {
            String value = column.getValue().get(row);
            if (holds(operator, compare(column.getKey(), value, parameter))) {
              expected.add(Integer.toString(row + 1));
            }
          }
          String wanted = String.join(",", expected);
          assertEquals(wanted, run(sql, parameter), () -> condition + " with " + parameter);
        }
      }
    }
  }

  @Test
  void shouldCalculateWithNumbers() throws SQLException {
    for (String operator : List.of("+", "-", "*", "/")) {
      for (Map.Entry<String, List<String>> column : COLUMNS.entrySet()) {
        String sql = "SELECT " + column.getKey() + " " + operator + " ? FROM t ORDER BY id";
        for (Object parameter : NUMBERS) {
          BigDecimal left = new BigDecimal(column.getValue().getFirst());
          BigDecimal right = new BigDecimal(parameter.toString());
          boolean integers =
              List.of("i", "bi").contains(column.getKey())
                  && (parameter instanceof Integer || parameter instanceof Long);
          BigDecimal expected =
              switch (operator) {
                case "+" -> left.add(right);
                case "-" -> left.subtract(right);
                case "*" -> left.multiply(right);
                default ->
                    integers
                        ? left.divide(right, 0, RoundingMode.DOWN)
                        : left.divide(right, MathContext.DECIMAL64);
              };
          if (expected.precision() - expected.scale() > 30
              || expected.signum() != 0 && expected.abs().doubleValue() < 1e-5) {
            continue; // exceeds the digits that are kept
          }
          String actual = run(sql, parameter).split(",", 2)[0];
          double error = new BigDecimal(actual).subtract(expected).abs().doubleValue();
          assertTrue(
              error <= Math.max(expected.abs().doubleValue(), 1) * 1e-5,
              () -> sql + " with " + parameter + ": " + actual + ", not " + expected);
        }
      }
    }
  }

  @Test
  void shouldRoundInCastsAndAssignments() throws SQLException {
    for (Object parameter : List.of(new BigDecimal("5.678"), 5.678, "5.678", 5.678f)) {
      assertEquals("5.68", run("SELECT CAST(? AS DECIMAL(10, 2)) FROM t WHERE id = 1", parameter));
      assertEquals("6", run("SELECT CAST(? AS INTEGER) FROM t WHERE id = 1", parameter));
      try (PreparedStatement update =
          connection.prepareStatement("UPDATE t SET i = ?, d = ? WHERE id = 1")) {
        update.setObject(1, parameter);
        update.setObject(2, parameter);
        assertEquals(1, update.executeUpdate());
      }
      assertEquals("6", run("SELECT i FROM t WHERE id = 1"));
      assertEquals("5.68", run("SELECT d FROM t WHERE id = 1"));
    }
  }

  /** The expected results are those of PostgreSQL 17. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      textBlock =
          """
          SELECT id FROM t WHERE LOWER(v) LIKE LOWER(?)        ! A%        ! 1,2
          SELECT id FROM t WHERE UPPER(v) = UPPER(?)           ! a_b       ! 1
          SELECT id FROM t WHERE v LIKE '%' || ? || '%'        ! x         ! 2
          SELECT id FROM t WHERE v LIKE CONCAT('%', ?, '%')    ! x         ! 2
          SELECT v || ? FROM t                                 ! x         ! a_bx,axbx
          SELECT v || ? FROM t                                 ! 7         ! a_b7,axb7
          SELECT COALESCE(?, i) FROM t                         ! 4         ! 4,4
          SELECT COALESCE(?, v) FROM t                         ! y         ! y,y
          SELECT NULLIF(?, '') FROM t                          ! y         ! y,y
          SELECT NULLIF(i, ?) FROM t                           ! 3         ! 1,null
          SELECT GREATEST(d, ?) FROM t                         ! 1.239     ! 1.500,1.239
          SELECT LEAST(i, ?) FROM t                            ! 2         ! 1,2
          SELECT ABS(?) FROM t WHERE id = 1                    ! -4        ! 4
          SELECT SUBSTRING(v, ?) FROM t                        ! 3         ! b,b
          SELECT SUBSTRING(v FROM ? FOR 1) FROM t              ! 2         ! _,x
          SELECT MOD(i, ?) FROM t                              ! 2         ! 1,1
          SELECT i + ? - 1 FROM t                              ! 2         ! 2,4
          SELECT (d + ?) * 2 FROM t                            ! 1.239     ! 5.478,3.078
          SELECT id FROM t WHERE i - ? >= 0                    ! 2         ! 2
          SELECT CASE WHEN i > 1 THEN i - ? ELSE i END FROM t  ! 2         ! 1,1
          SELECT CASE WHEN i > 1 THEN ? ELSE d END FROM t      ! 1.239     ! 1.500,1.239
          SELECT ? FROM t WHERE id = 1                         ! 1         ! 1
          SELECT ? FROM t WHERE id = 1                         ! 1.50      ! 1.50
          SELECT ? FROM t WHERE id = 1                         ! y         ! y
          SELECT id FROM t WHERE ? IN (5, 6)                   ! 5         ! 1,2
          SELECT id FROM t WHERE ? = 5                         ! 5         ! 1,2
          SELECT id FROM t WHERE ? BETWEEN i AND bi            ! 2.5       ! 1
          SELECT id FROM t WHERE i IN (?, 7)                   ! 2.5       ! ''
          SELECT SUM(i) * ? FROM t                             ! 2.7       ! 10.8
          SELECT id FROM t GROUP BY id HAVING SUM(i) > ?       ! 2.7       ! 2
          SELECT id FROM t WHERE EXISTS (SELECT ? FROM t)      ! 1         ! 1,2
          SELECT id FROM t WHERE b = ?                         ! true      ! 1
          SELECT LEFT(v, ?) FROM t                             ! 1         ! a,a
          SELECT n + ? FROM t                                  ! 0.001     ! 1.24,5000000000.001
          SELECT id FROM t WHERE n = ?                         ! 1.2390    ! 1
          SELECT id FROM t WHERE n IN (?, 5000000000)          ! 1.239     ! 1,2
          SELECT GREATEST(n, ?) FROM t                         ! 2         ! 2,5000000000
          """)
  void shouldTypeParametersByOperatorOrValue(String sql, String parameter, String expected)
      throws SQLException {
    String actual = run(sql, value(parameter));
    List<String> normal = new ArrayList<>();
    for (String each : actual.split(",", -1)) {
      normal.add(each.matches("\\d+\\.\\d{4,}") ? strip(each) : each);
    }
    assertEquals(expected, String.join(",", normal));
  }

  private static String strip(String number) {
    return new BigDecimal(number).stripTrailingZeros().toPlainString();
  }

  private static Object value(String text) {
    if (text.matches("-?\\d+")) {
      return Integer.valueOf(text);
    } else if (text.matches("-?\\d+\\.\\d+")) {
      return new BigDecimal(text);
    }
    return text.equals("true") ? (Object) true : text;
  }

  @Test
  void shouldTypeDatesByOperatorOrValue() throws SQLException {
    Timestamp noon = Timestamp.valueOf("2024-01-01 12:00:00");
    Date day = Date.valueOf("2024-01-02");
    String one = " FROM t WHERE id = 1";
    assertEquals("2024-01-03", run("SELECT TIMESTAMPADD(DAY, ?, da)" + one, 2));
    assertEquals(
        "2023-12-31 12:00:00.000000", micros(run("SELECT ? - INTERVAL '1' DAY" + one, noon)));
    assertEquals("2024-01-01", run("SELECT ? - INTERVAL '1' DAY" + one, day));
    assertEquals("2024", run("SELECT EXTRACT(YEAR FROM ?)" + one, day));
    assertEquals("2024-01-02", run("SELECT GREATEST(da, ?)" + one, day));
    assertEquals("1", run("SELECT id FROM t WHERE da < ? ORDER BY id", noon));
    assertEquals("2", run("SELECT id FROM t WHERE COALESCE(?, da) <= da", day));
  }

  @Test
  void shouldTypeUuidsByOperatorOrValue() throws SQLException {
    UUID uuid = UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8");
    String two = " FROM t WHERE id = 2";
    for (Object value : List.of(uuid, uuid.toString())) {
      assertEquals("2", run("SELECT id FROM t WHERE u = ?", value));
      assertEquals("2", run("SELECT id FROM t WHERE u IN (?, ?)", value, UUID.randomUUID()));
      assertEquals("2", run("SELECT id FROM t WHERE u >= ?", value));
      assertEquals(uuid.toString(), run("SELECT COALESCE(u, ?) FROM t WHERE id = 1", value));
      assertEquals(uuid.toString(), run("SELECT ?" + two, value));
      assertEquals("x" + uuid, run("SELECT 'x' || ?" + two, value));
      assertEquals("2", run("SELECT id FROM t WHERE ? = '" + uuid + "' AND id = 2", value));
      assertEquals("", run("SELECT id FROM t WHERE v = ?", value));
      assertEquals(uuid.toString(), run("SELECT CAST(? AS UUID)" + two, value));
    }
    assertEquals("22018", failure("SELECT id FROM t WHERE u = ?", "no uuid"));
    assertEquals("42804", failure("SELECT id FROM t WHERE u = ?", 1));
    assertEquals("42804", failure("SELECT id FROM t WHERE i = ?", uuid));
  }

  private static String micros(String timestamp) {
    return (timestamp + (timestamp.contains(".") ? "000000" : ".000000")).substring(0, 26);
  }

  @Test
  void shouldRejectIncompatibleValues() {
    Date day = Date.valueOf("2024-01-02");
    assertEquals("42804", failure("SELECT id FROM t WHERE i = ?", day));
    assertEquals("42804", failure("SELECT i * ? FROM t", day));
    assertEquals("22018", failure("SELECT id FROM t WHERE i = ?", "abc"));
    assertEquals("22003", failure("UPDATE t SET i = ? WHERE id = 1", 5_000_000_000L));
    assertEquals("22018", failure("UPDATE t SET i = ? WHERE id = 1", day));
  }

  private String failure(String sql, Object value) {
    SQLException e = assertThrows(SQLException.class, () -> run(sql, value), sql);
    assertEquals(1, e.getMessage().lines().count(), e.getMessage());
    return e.getSQLState();
  }

  /** The type of an earlier value does not affect the next value of a parameter. */
  @Test
  void shouldAcceptValuesOfChangingTypes() throws SQLException {
    String sql = "SELECT id FROM t WHERE (i < ? OR ? IS NULL) AND d < ? ORDER BY id";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      Object[][] turns = {
        {2, 2, 5, "1"},
        {2.5, 2.5, 5.001, "1"},
        {null, null, new BigDecimal("1.239"), "2"},
        {"4", "4", "1.5", "2"},
        {new BigDecimal("1.01"), "x", 5L, "1"},
        {Long.MAX_VALUE, Date.valueOf("2024-01-01"), Double.POSITIVE_INFINITY, "12"}
      };
      for (int turn = 0; turn < 3 * turns.length; turn++) {
        Object[] values = turns[turn % turns.length];
        for (int i = 0; i < 3; i++) {
          statement.setObject(i + 1, values[i]);
        }
        StringBuilder found = new StringBuilder();
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            found.append(rows.getString(1));
          }
        }
        assertEquals(values[3], found.toString(), "turn " + turn);
      }
    }
  }

  @Test
  void shouldKeepOpenResultWhenParameterTypeChanges() throws SQLException {
    for (boolean autoCommit : new boolean[] {true, false}) {
      connection.setAutoCommit(autoCommit);
      try (PreparedStatement statement =
          connection.prepareStatement("SELECT id FROM t WHERE i < ? ORDER BY id")) {
        statement.setInt(1, 4);
        try (ResultSet rows = statement.executeQuery()) {
          assertTrue(rows.next());
          statement.setDouble(1, 2.5);
          assertEquals(1, rows.getInt(1));
          assertTrue(rows.next());
          assertEquals(2, rows.getInt(1));
        }
        try (ResultSet rows = statement.executeQuery()) {
          assertTrue(rows.next() && !rows.next());
        }
      }
    }
    connection.commit();
  }

  @Test
  void shouldConvertRowsOfABatchWhenATypeChanges() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE t SET i = i + ?, v = ? WHERE d > ?")) {
      Object[][] batch = {
        {1, "a", 1}, {new BigDecimal("1.6"), "b", 0.1 + 0.2}, {null, "c", 7}, {2, null, 0}
      };
      for (Object[] row : batch) {
        for (int i = 0; i < row.length; i++) {
          statement.setObject(i + 1, row[i]);
        }
        statement.addBatch();
      }
      int[] counts = statement.executeBatch();
      assertEquals("[1, 1, 0, 2]", java.util.Arrays.toString(counts));
    }
    assertEquals("6,5", run("SELECT i FROM t ORDER BY id")); // 1 + 1 + 1.6 rounds to 4, plus 2
  }

  /** A parameter is rounded to the fractional seconds of its column, like a literal. */
  @Test
  void shouldRoundTimesToTheDigitsOfTheColumn() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE c (id INT PRIMARY KEY, t TIME(0), ts TIMESTAMP(3), z TIMESTAMP(0) WITH TIME"
              + " ZONE)");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO c VALUES (1, ?, ?, ?)")) {
      insert.setObject(1, LocalTime.of(10, 0, 0, 600_000_000));
      insert.setObject(2, LocalDateTime.of(2024, 1, 1, 10, 0, 0, 123_600_000));
      insert.setObject(3, OffsetDateTime.of(2024, 1, 1, 10, 0, 0, 500_000_000, ZoneOffset.UTC));
      insert.executeUpdate();
    }
    assertEquals(
        "10:00:01 2024-01-01 10:00:00.124 1704103201.000000",
        run(
            "SELECT CAST(t AS VARCHAR) || ' ' || CAST(ts AS VARCHAR) || ' '"
                + " || CAST(EXTRACT(EPOCH FROM z) AS VARCHAR) FROM c"));
    LocalDateTime finer = LocalDateTime.of(2024, 1, 1, 10, 0, 0, 123_600_000);
    assertEquals("1", run("SELECT id FROM c WHERE ts > ?", finer));
    assertEquals("", run("SELECT id FROM c WHERE ts = ?", finer));
    assertEquals(
        "2024-01-01 10:00:00", run("SELECT CAST(CAST(? AS TIMESTAMP(0)) AS VARCHAR)", finer));
  }

  /** Text that begins with a backslash and x is hexadecimal, in literals and in parameters. */
  @Test
  void shouldConvertTextToBytes() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE bytes (id INT PRIMARY KEY, b BYTEA)");
      statement.execute("INSERT INTO bytes VALUES (1, '\\x00ff'), (2, 'ab'), (3, NULL)");
    }
    assertEquals("00ff", run("SELECT ENCODE(b, 'hex') FROM bytes WHERE b = ?", "\\x00FF"));
    assertEquals("6162", run("SELECT ENCODE(b, 'hex') FROM bytes WHERE b = ?", "ab"));
    assertEquals(
        "22018",
        assertThrows(SQLException.class, () -> run("SELECT id FROM bytes WHERE b = ?", "\\x0g"))
            .getSQLState());
  }
}
