package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.PooledConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections for the pool of an application server ({@code ConnectionPoolDataSource}). */
class PooledConnectionTest {
  private final NelumboDataSource source = new NelumboDataSource();
  private Connection own;

  @BeforeEach
  void open() throws SQLException {
    source.setUrl("jdbc:nelumbo:mem:" + UUID.randomUUID() + "?conflict=no-wait");
    own = source.getConnection();
    run(own, "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)");
  }

  @AfterEach
  void shutDown() throws SQLException {
    run(own, "SHUTDOWN");
    own.close();
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private int count() throws SQLException {
    return count(own);
  }

  private static int count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM t")) {
      assertTrue(row.next());
      return row.getInt(1);
    }
  }

  /** Records the events that a pool receives. */
  private static final class Events implements ConnectionEventListener {
    private final List<String> seen = new ArrayList<>();

    @Override
    public void connectionClosed(ConnectionEvent event) {
      seen.add("closed");
    }

    @Override
    public void connectionErrorOccurred(ConnectionEvent event) {
      seen.add(event.getSQLException().getSQLState());
    }
  }

  @Test
  void shouldResetPooledConnectionBeforeReuse() throws SQLException {
    PooledConnection pooled = source.getPooledConnection();
    Events events = new Events();
    pooled.addConnectionEventListener(events);
    Connection first = pooled.getConnection();
    run(first, "CREATE SCHEMA other");
    first.setSchema("OTHER");
    first.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    first.setAutoCommit(false);
    Statement left = first.createStatement();
    left.execute("INSERT INTO public.t VALUES (1, 1)");
    assertSame(first, left.getConnection());
    first.close();
    first.close();
    assertEquals(List.of("closed"), events.seen);
    assertTrue(first.isClosed() && left.isClosed() && !first.isValid(1));
    assertEquals("08003", assertThrows(SQLException.class, first::createStatement).getSQLState());

    Connection second = pooled.getConnection();
    assertNotEquals(first, second);
    assertTrue(second.getAutoCommit());
    assertEquals("PUBLIC", second.getSchema());
    assertEquals(Connection.TRANSACTION_SERIALIZABLE, second.getTransactionIsolation());
    assertEquals(0, count());

    Connection third = pooled.getConnection();
    assertTrue(second.isClosed());
    third.unwrap(org.nelumbo.session.Session.class).abort();
    assertThrows(SQLException.class, () -> run(third, "SELECT 1"));
    third.abort(Runnable::run);
    assertThrows(SQLException.class, third::getSchema);
    assertEquals(List.of("closed", "08003"), events.seen);
    pooled.close();
  }

  @Test
  void shouldCloseTheHandleOfALostConnectionQuietly() throws Exception {
    PooledConnection pooled = source.getPooledConnection();
    Events events = new Events();
    pooled.addConnectionEventListener(events);
    Connection connection = pooled.getConnection();
    connection.abort(Runnable::run);
    connection.close();
    assertTrue(connection.isClosed());
    assertEquals(List.of("08003"), events.seen);
  }
}
