package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Connections that a pool keeps, and those whose transactions a transaction manager ends. */
class ManagedConnectionTest {
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

  /** Notes what a pool is told. */
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
  void shouldGiveAPooledConnectionOutAsNew() throws SQLException {
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
    third.unwrap(org.nelumbo.planner.Session.class).abort();
    assertThrows(SQLException.class, () -> run(third, "SELECT 1"));
    third.abort(Runnable::run);
    assertThrows(SQLException.class, third::getSchema);
    assertEquals(List.of("closed", "08003"), events.seen);
    pooled.close();
  }

  private record Name(byte[] getGlobalTransactionId, byte[] getBranchQualifier) implements Xid {
    static Name of(int number) {
      return new Name(new byte[] {(byte) number}, new byte[0]);
    }

    @Override
    public int getFormatId() {
      return 1;
    }
  }

  private static void assertRefused(int code, Executable call) {
    assertEquals(code, assertThrows(XAException.class, call).errorCode);
  }

  @Test
  void shouldCommitABranchInOnePhase() throws Exception {
    XAConnection managed = source.getXAConnection();
    XAResource branch = managed.getXAResource();
    Connection connection = managed.getConnection();
    branch.start(Name.of(1), XAResource.TMNOFLAGS);
    run(connection, "INSERT INTO t VALUES (1, 1)");
    for (Executable call :
        new Executable[] {
          connection::commit,
          connection::rollback,
          connection::setSavepoint,
          () -> connection.setAutoCommit(true)
        }) {
      assertEquals("25000", assertThrows(SQLException.class, call).getSQLState());
    }
    branch.end(Name.of(1), XAResource.TMSUSPEND);
    branch.start(Name.of(1), XAResource.TMRESUME);
    run(connection, "INSERT INTO t VALUES (2, 1)");
    branch.end(Name.of(1), XAResource.TMSUCCESS);
    connection.close();
    assertEquals(0, count());
    branch.commit(Name.of(1), true);
    assertEquals(2, count());

    Connection next = managed.getConnection();
    assertTrue(next.getAutoCommit());
    branch.start(Name.of(2), XAResource.TMNOFLAGS);
    run(next, "INSERT INTO t VALUES (3, 1)");
    branch.end(Name.of(2), XAResource.TMSUCCESS);
    branch.rollback(Name.of(2));
    run(next, "INSERT INTO t VALUES (4, 1)");
    assertEquals(3, count());
    managed.close();
  }

  @Test
  void shouldPrepareOnlyWhatHasRead() throws Exception {
    XAConnection managed = source.getXAConnection();
    XAResource branch = managed.getXAResource();
    Connection connection = managed.getConnection();
    branch.start(Name.of(1), XAResource.TMNOFLAGS);
    assertEquals(0, count(connection));
    branch.end(Name.of(1), XAResource.TMSUCCESS);
    assertEquals(XAResource.XA_RDONLY, branch.prepare(Name.of(1)));
    assertRefused(XAException.XAER_NOTA, () -> branch.commit(Name.of(1), false));

    branch.start(Name.of(2), XAResource.TMNOFLAGS);
    run(connection, "INSERT INTO t VALUES (1, 1)");
    branch.end(Name.of(2), XAResource.TMSUCCESS);
    assertRefused(XAException.XA_RBOTHER, () -> branch.prepare(Name.of(2)));
    assertEquals(0, count());
    assertEquals(0, branch.recover(XAResource.TMSTARTRSCAN).length);
    assertRefused(XAException.XAER_NOTA, () -> branch.forget(Name.of(2)));

    branch.start(Name.of(3), XAResource.TMNOFLAGS);
    run(connection, "INSERT INTO t VALUES (1, 1)");
    branch.end(Name.of(3), XAResource.TMFAIL);
    assertRefused(XAException.XA_RBROLLBACK, () -> branch.commit(Name.of(3), true));
    assertEquals(0, count());
    assertTrue(connection.getAutoCommit());
    managed.close();
  }

  @Test
  void shouldRefuseCallsOutOfOrder() throws Exception {
    XAConnection managed = source.getXAConnection();
    XAResource branch = managed.getXAResource();
    Connection connection = managed.getConnection();
    assertRefused(XAException.XAER_NOTA, () -> branch.end(Name.of(1), XAResource.TMSUCCESS));
    assertRefused(XAException.XAER_NOTA, () -> branch.start(Name.of(1), XAResource.TMJOIN));
    assertRefused(XAException.XAER_INVAL, () -> branch.start(Name.of(1), 42));
    connection.setAutoCommit(false);
    run(connection, "INSERT INTO t VALUES (1, 1)");
    assertRefused(XAException.XAER_OUTSIDE, () -> branch.start(Name.of(1), XAResource.TMNOFLAGS));
    connection.rollback();
    branch.start(Name.of(1), XAResource.TMNOFLAGS);
    assertRefused(XAException.XAER_PROTO, () -> branch.start(Name.of(2), XAResource.TMNOFLAGS));
    assertRefused(XAException.XAER_PROTO, () -> branch.commit(Name.of(1), true));
    branch.end(Name.of(1), XAResource.TMSUCCESS);
    assertRefused(XAException.XAER_PROTO, () -> branch.commit(Name.of(1), false));
    branch.commit(Name.of(1), true);
    assertFalse(branch.isSameRM(source.getXAConnection().getXAResource()));
    assertFalse(branch.setTransactionTimeout(5));
    managed.close();
  }

  @Test
  void shouldSayThatABranchLost() throws Exception {
    run(own, "INSERT INTO t VALUES (1, 1), (2, 2)");
    XAConnection managed = source.getXAConnection();
    XAResource branch = managed.getXAResource();
    Connection connection = managed.getConnection();
    branch.start(Name.of(1), XAResource.TMNOFLAGS);
    own.setAutoCommit(false);
    run(own, "UPDATE t SET n = 5");
    String change = "UPDATE t SET n = 6";
    assertEquals(
        "40001", assertThrows(SQLException.class, () -> run(connection, change)).getSQLState());
    own.commit();
    own.setAutoCommit(true);
    branch.end(Name.of(1), XAResource.TMSUCCESS);
    assertRefused(XAException.XA_RBTRANSIENT, () -> branch.commit(Name.of(1), true));
    assertEquals(2, count());
    run(connection, "INSERT INTO t VALUES (3, 3)");
    managed.close();
  }

  @Test
  void shouldRefuseStatementsThatEndABranch() throws Exception {
    XAConnection managed = source.getXAConnection();
    XAResource branch = managed.getXAResource();
    Connection connection = managed.getConnection();
    branch.start(Name.of(1), XAResource.TMNOFLAGS);
    run(connection, "INSERT INTO t VALUES (1, 1)");
    for (String sql :
        List.of("COMMIT", "ROLLBACK", "SAVEPOINT s", "CREATE TABLE u (a INTEGER PRIMARY KEY)")) {
      assertEquals(
          "25000", assertThrows(SQLException.class, () -> run(connection, sql)).getSQLState());
    }
    branch.end(Name.of(1), XAResource.TMSUCCESS);
    branch.rollback(Name.of(1));
    assertEquals(0, count());
    run(connection, "CREATE TABLE u (a INTEGER PRIMARY KEY)");
    managed.close();
  }

  @Test
  void shouldGiveAConnectionOutAsNewAfterABranch() throws Exception {
    XAConnection managed = source.getXAConnection();
    XAResource branch = managed.getXAResource();
    Connection first = managed.getConnection();
    run(first, "CREATE SCHEMA other");
    first.setAutoCommit(false);
    branch.start(Name.of(1), XAResource.TMNOFLAGS);
    first.setSchema("OTHER");
    first.setReadOnly(true);
    first.setNetworkTimeout(Runnable::run, 100_000);
    Statement left = first.createStatement();
    left.execute("SELECT * FROM public.t");
    first.close();
    assertTrue(left.isClosed());
    branch.end(Name.of(1), XAResource.TMSUCCESS);
    branch.commit(Name.of(1), true);

    branch.start(Name.of(2), XAResource.TMNOFLAGS);
    Connection second = managed.getConnection();
    assertEquals("PUBLIC", second.getSchema());
    assertEquals(0, second.getNetworkTimeout());
    assertFalse(second.isReadOnly());
    run(second, "INSERT INTO t VALUES (1, 1)");
    branch.end(Name.of(2), XAResource.TMSUCCESS);
    branch.commit(Name.of(2), true);
    assertTrue(second.getAutoCommit());
    assertEquals(1, count());
    managed.close();
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
