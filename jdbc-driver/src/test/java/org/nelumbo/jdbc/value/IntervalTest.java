package org.nelumbo.jdbc.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Intervals as periods, durations and text. */
class IntervalTest {
  private Connection connection;
  private Statement statement;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:?memory=64m");
    statement = connection.createStatement();
    statement.execute(
        "CREATE TABLE i (id INTEGER PRIMARY KEY, ym INTERVAL YEAR TO MONTH,"
            + " ds INTERVAL DAY TO SECOND, t VARCHAR(40))");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void insert(int id, Object months, Object micros) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO i (id, ym, ds) VALUES (?, ?, ?)")) {
      insert.setInt(1, id);
      insert.setObject(2, months);
      insert.setObject(3, micros);
      insert.executeUpdate();
    }
  }

  private static String state(SQLException e) {
    return e.getSQLState();
  }

  @Test
  void shouldReadWrittenIntervals() throws SQLException {
    Duration duration = Duration.ofDays(3).plusHours(4).plusNanos(6_789_000);
    insert(1, Period.of(1, 2, 0), duration);
    insert(2, "-1-6", "P1DT2H");
    insert(3, Period.ofMonths(-14), Duration.ZERO);
    insert(4, null, Period.ofDays(-2));
    try (ResultSet rows = statement.executeQuery("SELECT ym, ds FROM i ORDER BY id")) {
      assertTrue(rows.next());
      assertEquals(Period.of(1, 2, 0), rows.getObject(1));
      assertEquals(duration, rows.getObject(2));
      assertEquals("1 year 2 mons", rows.getString(1));
      assertEquals("3 days 04:00:00.006789", rows.getString(2));
      assertEquals(duration, rows.getObject(2, Duration.class));
      assertEquals(Period.of(1, 2, 0), rows.getObject(1, Period.class));
      assertEquals("22018", state(assertThrows(SQLException.class, () -> rows.getLong(1))));
      assertEquals(
          "22018",
          state(assertThrows(SQLException.class, () -> rows.getObject(1, Duration.class))));
      assertThrows(SQLException.class, () -> rows.getObject(2, Period.class));
      assertTrue(rows.next());
      assertEquals(Period.of(-1, -6, 0), rows.getObject(1));
      assertEquals(Duration.ofHours(26), rows.getObject(2));
      assertTrue(rows.next());
      assertEquals("-1 years -2 mons", rows.getString(1));
      assertEquals("00:00:00", rows.getString(2));
      assertTrue(rows.next());
      assertNull(rows.getObject(1));
      assertTrue(rows.wasNull());
      assertEquals(Period.ofDays(-2), rows.getObject(2, Period.class));
      assertFalse(rows.next());
    }
  }

  @Test
  void shouldRejectInvalidIntervals() {
    for (Object[] each :
        new Object[][] {
          {Period.ofDays(1), null},
          {Duration.ofDays(1), null},
          {"1 day", null},
          {7, null},
          {null, Period.ofMonths(1)},
          {null, "1 month"},
          {null, "soon"},
          {null, LocalDateTime.MIN}
        }) {
      SQLException e = assertThrows(SQLException.class, () -> insert(1, each[0], each[1]));
      assertTrue(List.of("22018", "22007", "22008").contains(e.getSQLState()), e::toString);
    }
  }

  @Test
  void shouldCompareAndCalculate() throws SQLException {
    insert(1, Period.ofMonths(5), Duration.ofHours(5));
    insert(2, Period.ofMonths(6), Duration.ofHours(6));
    assertEquals(List.of("2"), found("SELECT id FROM i WHERE ds > ?", Duration.ofMinutes(301)));
    assertEquals(List.of("1"), found("SELECT id FROM i WHERE ym = ?", Period.ofMonths(5)));
    assertEquals(List.of("1"), found("SELECT id FROM i WHERE ds = ?", "5 hours"));
    assertEquals(
        List.of("2024-01-03 00:00:00"),
        found(
            "SELECT TIMESTAMP '2024-01-01 00:00:00' + ? FROM i WHERE id = 1", Duration.ofDays(2)));
    assertEquals(
        List.of("06:30:00"), found("SELECT ds + ? FROM i WHERE id = 2", Duration.ofMinutes(30)));
    assertEquals(List.of("06:00:00"), found("SELECT MAX(ds) FROM i WHERE id < ?", 5));
    assertEquals(List.of("02:00:00"), found("SELECT CAST(? AS INTERVAL HOUR)", "2"));
    assertEquals(List.of("02:00:00"), found("SELECT CAST(? AS INTERVAL HOUR)", 2));
    assertEquals(List.of("3 days"), found("SELECT CAST(? AS INTERVAL HOUR)", Duration.ofDays(3)));
    assertEquals(List.of("1 day"), found("SELECT ?", Duration.ofDays(1)));
  }

  private List<String> found(String query, Object parameter) throws SQLException {
    List<String> found = new ArrayList<>();
    try (PreparedStatement prepared = connection.prepareStatement(query)) {
      prepared.setObject(1, parameter);
      try (ResultSet rows = prepared.executeQuery()) {
        while (rows.next()) {
          found.add(rows.getString(1));
        }
      }
    }
    return found;
  }

  @Test
  void shouldStoreIntervalsInBatchesAndUpdatedRows() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO i (id, ds, t) VALUES (?, ?, ?)")) {
      for (int i = 0; i < 3; i++) {
        insert.setInt(1, i);
        insert.setObject(2, i == 1 ? "1 min" : Duration.ofSeconds(i));
        insert.setObject(3, Duration.ofSeconds(i));
        insert.addBatch();
      }
      insert.executeBatch();
    }
    try (Statement updating =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
        ResultSet rows = updating.executeQuery("SELECT id, ds, t FROM i ORDER BY id")) {
      assertTrue(rows.next());
      assertTrue(rows.next());
      assertEquals(Duration.ofMinutes(1), rows.getObject(2));
      assertEquals(Duration.ofSeconds(1), rows.getObject(3, Duration.class));
      rows.updateObject(2, Duration.ofHours(9));
      rows.updateRow();
    }
    assertEquals(List.of("1"), found("SELECT id FROM i WHERE ds = ?", Duration.ofHours(9)));
  }

  @Test
  void shouldDescribeItself() throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT ym, ds FROM i")) {
      ResultSetMetaData columns = rows.getMetaData();
      assertEquals("INTERVAL YEAR TO MONTH", columns.getColumnTypeName(1));
      assertEquals("INTERVAL DAY TO SECOND", columns.getColumnTypeName(2));
      assertEquals(Types.OTHER, columns.getColumnType(1));
      assertEquals(Period.class.getName(), columns.getColumnClassName(1));
      assertEquals(Duration.class.getName(), columns.getColumnClassName(2));
      assertTrue(columns.getColumnDisplaySize(2) >= "-99999999 days -23:59:59.999999".length());
    }
    List<String> names = new ArrayList<>();
    try (ResultSet types = connection.getMetaData().getTypeInfo()) {
      while (types.next()) {
        names.add(types.getString("TYPE_NAME"));
      }
    }
    assertTrue(names.contains("INTERVAL YEAR TO MONTH"), names::toString);
    assertTrue(names.contains("INTERVAL DAY TO SECOND"), names::toString);
  }
}
