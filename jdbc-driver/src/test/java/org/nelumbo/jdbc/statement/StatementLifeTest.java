package org.nelumbo.jdbc.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Statements and results that are open at the same time, are reused, or outlive the objects they
 * depend on.
 */
class StatementLifeTest {
  private static final int ROWS = 100;

  private final String url =
      "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m&conflict=no-wait";
  private Connection connection;
  private Connection other;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection(url);
    other = DriverManager.getConnection(url);
    run("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)");
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
      for (int id = 0; id < ROWS; id++) {
        insert.setInt(1, id);
        insert.setObject(2, id % 10 == 0 ? null : id);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @AfterEach
  void shutDown() throws SQLException {
    connection.close();
    try (Statement statement = other.createStatement()) {
      statement.execute("SHUTDOWN");
    }
    other.close();
  }

  private int run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  private static int countRest(ResultSet rows) throws SQLException {
    int count = 0;
    while (rows.next()) {
      count++;
    }
    return count;
  }

  /** Asserts that no locks remain: another connection can write the rows that were read. */
  private void assertNothingLocked() throws SQLException {
    try (Statement statement = other.createStatement()) {
      assertEquals(ROWS, statement.executeUpdate("UPDATE t SET n = 0"));
    }
  }

  @Test
  void shouldInterleaveReadsOfTwoResults() throws SQLException {
    for (boolean autoCommit : new boolean[] {true, false}) {
      connection.setAutoCommit(autoCommit);
      try (Statement one = connection.createStatement();
          Statement two = connection.createStatement();
          ResultSet up = one.executeQuery("SELECT id FROM t ORDER BY id");
          ResultSet down = two.executeQuery("SELECT id FROM t ORDER BY id DESC")) {
        for (int i = 0; i < ROWS; i++) {
          assertTrue(up.next() && down.next());
          assertEquals(ROWS - 1, up.getInt(1) + down.getInt(1));
        }
        assertFalse(up.next() || down.next());
      }
    }
  }

  @Test
  void shouldChangeRowsWhileReadingThemInAutoCommitMode() throws SQLException {
    try (Statement query = connection.createStatement();
        PreparedStatement update = connection.prepareStatement("UPDATE t SET n = ? WHERE id = ?");
        ResultSet rows = query.executeQuery("SELECT id FROM t")) {
      while (rows.next()) {
        update.setInt(1, -rows.getInt(1));
        update.setInt(2, rows.getInt(1));
        assertEquals(1, update.executeUpdate());
      }
    }
    assertNothingLocked();
  }

  @Test
  void shouldReleaseLocksOfPartlyReadResult() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertTrue(statement.executeQuery("SELECT id FROM t FOR UPDATE").next());
    }
    assertNothingLocked();
    connection.setAutoCommit(false);
    ResultSet left = connection.createStatement().executeQuery("SELECT id FROM t");
    assertTrue(left.next());
    connection.rollback();
    assertTrue(left.isClosed());
    assertNothingLocked();
  }

  @Test
  void shouldCommitWhenTheResultOfAnAutoCommittedStatementIsReadToItsEnd() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT id FROM t FOR UPDATE");
      assertEquals(ROWS, countRest(rows));
      assertNothingLocked();
      assertFalse(rows.isClosed(), "it may still be asked");
    }
  }

  @Test
  void shouldFollowItsTableThroughChangesOfTheSchema() throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("SELECT * FROM t WHERE id = ?")) {
      query.setInt(1, 5);
      try (ResultSet row = query.executeQuery()) {
        assertEquals(2, row.getMetaData().getColumnCount());
      }
      run("ALTER TABLE t ADD COLUMN s VARCHAR(10) DEFAULT 'new'");
      try (ResultSet row = query.executeQuery()) {
        assertTrue(row.next());
        assertEquals(3, row.getMetaData().getColumnCount());
        assertEquals("new", row.getString("s"));
      }
      run("CREATE INDEX by_n ON t (n)");
      try (ResultSet row = query.executeQuery()) {
        assertTrue(row.next());
      }
      run("DROP TABLE t");
      assertEquals("42S02", assertThrows(SQLException.class, query::executeQuery).getSQLState());
      run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
      try (ResultSet row = query.executeQuery()) {
        assertFalse(row.next());
        assertEquals(1, row.getMetaData().getColumnCount());
      }
    }
    run("DROP TABLE t");
  }

  @Test
  void shouldHonourMaxRowsOfEachStatement() throws SQLException {
    try (PreparedStatement limited = connection.prepareStatement("SELECT id FROM t");
        PreparedStatement free = connection.prepareStatement("SELECT id FROM t")) {
      limited.setMaxRows(7);
      assertEquals(7, countRest(limited.executeQuery()));
      assertEquals(ROWS, countRest(free.executeQuery()));
      assertEquals(7, countRest(limited.executeQuery()));
      limited.setMaxRows(0);
      assertEquals(ROWS, countRest(limited.executeQuery()));
    }
  }

  @Test
  void shouldSortNullsAsMetadataStates() throws SQLException {
    assertTrue(connection.getMetaData().nullsAreSortedLow());
    run("CREATE INDEX by_n ON t (n)");
    for (String by : new String[] {"n", "n + 0"}) {
      try (Statement statement = connection.createStatement();
          ResultSet up = statement.executeQuery("SELECT n FROM t ORDER BY " + by)) {
        assertTrue(up.next());
        assertNull(up.getObject(1));
      }
      try (Statement statement = connection.createStatement();
          ResultSet down = statement.executeQuery("SELECT n FROM t ORDER BY " + by + " DESC")) {
        assertTrue(down.next());
        assertEquals(ROWS - 1, down.getInt(1));
      }
    }
  }

  /** Mappers request generated keys with every statement. */
  @Test
  void shouldAcceptRequestForKeysWithAnyStatement() throws SQLException {
    int wish = Statement.RETURN_GENERATED_KEYS;
    for (String sql :
        new String[] {
          "UPDATE t SET n = 1 WHERE id = 1",
          "DELETE FROM t WHERE id = 2",
          "INSERT INTO t VALUES (200, 1)"
        }) {
      try (PreparedStatement statement = connection.prepareStatement(sql, wish)) {
        assertFalse(statement.getGeneratedKeys().next());
        assertEquals(1, statement.executeUpdate());
        try (ResultSet keys = statement.getGeneratedKeys()) {
          assertEquals(countRest(keys), sql.startsWith("INSERT") ? 1 : 0, sql);
        }
      }
    }
    try (PreparedStatement query = connection.prepareStatement("SELECT id FROM t", wish)) {
      assertEquals(ROWS, countRest(query.executeQuery()));
      assertFalse(query.getGeneratedKeys().next());
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE u (id INTEGER PRIMARY KEY)", wish);
      assertEquals(
          "42S22",
          assertThrows(
                  SQLException.class,
                  () -> statement.execute("INSERT INTO u VALUES (1)", new String[] {"nosuch"}))
              .getSQLState());
    }
    run("DROP TABLE u");
  }

  @Test
  void shouldCountRowsInsertedByAQuery() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertEquals(ROWS, statement.executeLargeUpdate("INSERT INTO t SELECT id + 1000, n FROM t"));
      assertEquals(0, statement.executeUpdate("DELETE FROM t WHERE id = -1"));
      assertEquals(0, statement.getUpdateCount());
    }
  }

  @Test
  void shouldKeepParametersBetweenRuns() throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT COUNT(*) FROM t WHERE id BETWEEN ? AND ?")) {
      query.setInt(1, 10);
      query.setInt(2, 19);
      assertEquals(10, only(query));
      query.setInt(2, 29);
      assertEquals(20, only(query));
      query.clearParameters();
      assertEquals("07001", assertThrows(SQLException.class, query::executeQuery).getSQLState());
    }
  }

  /** A parameter that was set before a column changes its type keeps its value. */
  @Test
  void shouldKeepParametersWhenColumnTypesChange() throws SQLException {
    String[] types = {"INTEGER", "VARCHAR(5)", "DECIMAL(6, 2)", "DECIMAL(30, 1)", "VARCHAR(9)"};
    for (String from : types) {
      for (String to : types) {
        run("CREATE TABLE u (id INTEGER PRIMARY KEY, a " + from + ")");
        try (PreparedStatement query =
                connection.prepareStatement("SELECT COUNT(*) FROM u WHERE a = ?");
            PreparedStatement insert = connection.prepareStatement("INSERT INTO u VALUES (?, ?)");
            PreparedStatement batch = connection.prepareStatement("INSERT INTO u VALUES (?, ?)")) {
          query.setInt(1, 42);
          insert.setInt(1, 1);
          insert.setInt(2, 42);
          batch.setInt(1, 2);
          batch.setString(2, "42");
          batch.addBatch();
          run("DROP TABLE u");
          run("CREATE TABLE u (id INTEGER PRIMARY KEY, a " + to + ")");
          assertEquals(1, insert.executeUpdate());
          assertEquals(1, batch.executeBatch().length);
          String message = from + " to " + to;
          assertEquals(2, only(query), message);
          query.setString(1, "43");
          assertEquals(0, only(query), message);
        }
        run("DROP TABLE u");
      }
    }
  }

  /**
   * A value that conflicts with the type of another parameter is refused. Earlier values stay set.
   */
  @Test
  void shouldKeepParametersWhenOneIsRejected() throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("SELECT COUNT(*) WHERE ? = ?")) {
      query.setString(1, "abc");
      query.setString(2, "abc");
      assertEquals(
          "22018", assertThrows(SQLException.class, () -> query.setInt(1, 5)).getSQLState());
      assertEquals(1, only(query));
      query.setString(1, "abd");
      assertEquals(0, only(query));
      query.setString(2, "5");
      query.setInt(1, 5);
      assertEquals(1, only(query));
      assertEquals(
          "22018", assertThrows(SQLException.class, () -> query.setString(2, "x")).getSQLState());
      assertEquals(1, only(query));
    }
  }

  private static int only(PreparedStatement query) throws SQLException {
    try (ResultSet row = query.executeQuery()) {
      assertTrue(row.next());
      return row.getInt(1);
    }
  }
}
