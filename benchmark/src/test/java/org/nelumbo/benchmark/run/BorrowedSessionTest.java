package org.nelumbo.benchmark.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements that are prepared once and run on changing connections. */
class BorrowedSessionTest {
  private final BorrowedSession session = new BorrowedSession();
  private Connection first;
  private Connection second;

  @BeforeEach
  void connect() throws SQLException {
    first = DriverManager.getConnection("jdbc:h2:mem:");
    second = DriverManager.getConnection("jdbc:h2:mem:");
    for (Connection each : new Connection[] {first, second}) {
      each.createStatement().execute("CREATE TABLE t (a INT)");
      each.createStatement().execute("INSERT INTO t VALUES " + (each == first ? "(1)" : "(2)"));
    }
  }

  @AfterEach
  void disconnect() throws SQLException {
    first.close();
    second.close();
  }

  @Test
  void shouldPrepareOnEachConnectionAnew() throws SQLException {
    PreparedStatement query = session.connection().prepareStatement("SELECT a FROM t");
    assertEquals(1, answer(query, first));
    assertEquals(2, answer(query, second));
    assertEquals(1, answer(query, first));
  }

  @Test
  void shouldCloseStatementsOnDetach() throws SQLException {
    PreparedStatement query = session.connection().prepareStatement("SELECT a FROM t");
    session.attach(first);
    PreparedStatement real = query.executeQuery().getStatement().unwrap(PreparedStatement.class);
    session.detach();
    assertTrue(real.isClosed());
  }

  @Test
  void shouldReapplyReadOnlyOnAttach() throws SQLException {
    try (Connection switching = DriverManager.getConnection("jdbc:hsqldb:mem:borrowed")) {
      session.attach(switching);
      session.connection().setReadOnly(true);
      session.detach();
      switching.setReadOnly(false); // as a pool does
      session.attach(switching);
      assertTrue(switching.isReadOnly());
    }
  }

  @Test
  void shouldPassOnTheErrorsOfTheDriver() throws SQLException {
    PreparedStatement query = session.connection().prepareStatement("SELECT nothing");
    session.attach(first);
    assertEquals("42S22", assertThrows(SQLException.class, query::executeQuery).getSQLState());
  }

  @Test
  void shouldRefuseToWorkWithoutAConnection() throws SQLException {
    PreparedStatement query = session.connection().prepareStatement("SELECT a FROM t");
    assertEquals("08003", assertThrows(SQLException.class, query::executeQuery).getSQLState());
  }

  private int answer(PreparedStatement query, Connection connection) throws SQLException {
    session.attach(connection);
    try (ResultSet rows = query.executeQuery()) {
      rows.next();
      return rows.getInt(1);
    } finally {
      session.detach();
    }
  }
}
