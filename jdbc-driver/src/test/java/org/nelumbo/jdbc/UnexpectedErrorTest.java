package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Statement;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Session;

/** Unexpected errors in the engine or in an object of the caller become an {@code SQLException}. */
class UnexpectedErrorTest {
  /** SQLStates of statements that are nested too deeply, in the planner and in the parser. */
  private static final Set<String> TOO_DEEP = Set.of("54001", "42601");

  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:?memory=64m");
    Statements.run(
        connection,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR(100000))",
        "INSERT INTO t VALUES (1, 'a')");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private static SQLException assertFails(String state, Executable action) {
    SQLException failure = assertThrows(SQLException.class, action);
    assertEquals(state, failure.getSQLState(), failure::toString);
    return failure;
  }

  private static Throwable root(Throwable thrown) {
    return thrown.getCause() == null ? thrown : root(thrown.getCause());
  }

  /** A number whose sums do not fit into memory. */
  private static final class LargeNumber extends BigDecimal {
    LargeNumber() {
      super("12345678901234567890");
    }

    @Override
    public BigDecimal setScale(int scale) {
      return this;
    }

    @Override
    public BigDecimal setScale(int scale, RoundingMode mode) {
      return this;
    }

    @Override
    public BigDecimal add(BigDecimal other) {
      throw new OutOfMemoryError("Java heap space");
    }
  }

  private void computeTooMuch(ResultSet[] open, boolean update) throws SQLException {
    String condition = " WHERE CAST(? AS DECIMAL(25, 0)) + id > 5";
    PreparedStatement statement =
        connection.prepareStatement(
            (update ? "UPDATE t SET s = 'b'" : "SELECT id FROM t") + condition);
    statement.setBigDecimal(1, new LargeNumber());
    if (update) {
      statement.executeUpdate();
    } else {
      open[0] = statement.executeQuery();
      assertTrue(open[0].next());
    }
  }

  @Test
  void shouldReportAHeapThatIsFullAndEndTheTransaction() throws SQLException {
    ResultSet[] open = new ResultSet[1];
    for (boolean update : new boolean[] {false, true}) {
      connection.setAutoCommit(true);
      SQLException alone = assertFails("53200", () -> computeTooMuch(open, update));
      assertInstanceOf(OutOfMemoryError.class, root(alone));
      assertTrue(alone.getMessage().contains("-Xmx"), alone::getMessage);
      assertEquals(1, Statements.number(connection, "SELECT COUNT(*) FROM t"));

      connection.setAutoCommit(false);
      Statements.run(connection, "INSERT INTO t VALUES (2, 'b')");
      assertFails("53200", () -> computeTooMuch(open, update));
      SQLException refused =
          assertFails("25P02", () -> Statements.run(connection, "DELETE FROM t WHERE id = 1"));
      assertTrue(refused.getMessage().contains("53200"), refused::getMessage);
      assertThrows(SQLException.class, connection::commit);
      connection.rollback();
      assertEquals(1, Statements.number(connection, "SELECT COUNT(*) FROM t"));
      connection.rollback();
    }
    assertTrue(open[0].isClosed());
  }

  @Test
  void shouldRejectTooDeepStatementAndKeepTransaction() throws SQLException {
    connection.setAutoCommit(false);
    Statements.run(connection, "INSERT INTO t VALUES (2, 'b')");
    for (String deep :
        new String[] {
          "SELECT " + "(1 + ".repeat(20_000) + "1" + ")".repeat(20_000),
          "SELECT " + "{fn ABS(".repeat(5_000) + "1" + ")}".repeat(5_000)
        }) {
      SQLException plain = assertThrows(SQLException.class, () -> Statements.run(connection, deep));
      SQLException prepared =
          assertThrows(SQLException.class, () -> connection.prepareStatement(deep));
      assertTrue(TOO_DEEP.contains(plain.getSQLState()), plain::toString);
      assertTrue(TOO_DEEP.contains(prepared.getSQLState()), prepared::toString);
    }
    connection.commit();
    connection.setAutoCommit(true);
    assertEquals(2, Statements.number(connection, "SELECT COUNT(*) FROM t"));
  }

  /** Simulates a fault of the engine. */
  @Test
  void shouldRejectUseOfFailedTransaction() throws SQLException {
    connection.setAutoCommit(false);
    Statements.run(connection, "INSERT INTO t VALUES (2, 'b')");
    try (Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT * FROM t");
      assertTrue(rows.next());
      connection
          .unwrap(Session.class)
          .fail(new NelumboException(ErrorCode.INTERNAL, "made up for a test"));
      assertFails("24000", rows::next);
    }
    assertFails("25P02", () -> Statements.run(connection, "DELETE FROM t"));
    assertFails("XX000", connection::commit);
    assertEquals(1, Statements.number(connection, "SELECT COUNT(*) FROM t"));
    connection.rollback();
    connection
        .unwrap(Session.class)
        .fail(new NelumboException(ErrorCode.INTERNAL, "made up, where nothing is in progress"));
    assertEquals(1, Statements.run(connection, "DELETE FROM t"));
    connection.commit();
  }

  // Objects of the caller.

  private static IllegalStateException fault() {
    return new IllegalStateException("of the caller's");
  }

  /** Returns a stream whose reads fail with an IOException or a RuntimeException. */
  private static InputStream stream(Exception failure) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        if (failure instanceof IOException known) {
          throw known;
        }
        throw (RuntimeException) failure;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return read();
      }
    };
  }

  @Test
  void shouldReportExceptionsOfCallerObjects() throws SQLException {
    InputStream unreadable = stream(new IOException("cannot be read"));
    InputStream broken = stream(fault());
    Reader reader =
        new Reader() {
          @Override
          public int read(char[] buffer, int offset, int length) {
            throw fault();
          }

          @Override
          public void close() {}
        };
    SQLType type =
        new SQLType() {
          @Override
          public String getName() {
            throw fault();
          }

          @Override
          public String getVendor() {
            throw fault();
          }

          @Override
          public Integer getVendorTypeNumber() {
            throw fault();
          }
        };
    connection.setAutoCommit(false);
    Statements.run(connection, "INSERT INTO t VALUES (2, 'b')");
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT * FROM t WHERE s = ? AND id = 1")) {
      SQLException failure = assertFails("22023", () -> statement.setAsciiStream(1, unreadable));
      assertInstanceOf(IOException.class, failure.getCause());
      assertFails("22023", () -> statement.setBinaryStream(1, broken, 7));
      assertFails("22023", () -> statement.setCharacterStream(1, reader));
      assertFails("22023", () -> statement.setClob(1, reader, 7));
      assertFails("22023", () -> statement.setObject(1, 1, type, 2));
      assertFails("22023", () -> statement.setObject(1, 1, null, 2));
    }
    connection.commit();
    connection.setAutoCommit(true);
    assertEquals(2, Statements.number(connection, "SELECT COUNT(*) FROM t"));
  }

  @Test
  void shouldReportExceptionOfCalendar() throws SQLException {
    Calendar calendar =
        new GregorianCalendar() {
          @Override
          public java.util.TimeZone getTimeZone() {
            throw fault();
          }
        };
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("VALUES TIMESTAMP '2024-01-01 00:00:00'")) {
      assertTrue(rows.next());
      assertFails("22023", () -> rows.getTimestamp(1, calendar));
      assertEquals("2024-01-01 00:00:00", rows.getString(1), "the result is as it was");
    }
  }

  @Test
  void shouldAbortSessionDespiteFailingExecutor() throws SQLException {
    String url = "jdbc:nelumbo:mem:" + java.util.UUID.randomUUID() + "?memory=64m&conflict=no-wait";
    try (Connection keeper = DriverManager.getConnection(url)) {
      Statements.run(keeper, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
      Connection other = DriverManager.getConnection(url);
      other.setAutoCommit(false);
      Statements.run(other, "INSERT INTO t VALUES (1)");
      other.abort(
          task -> {
            throw fault();
          });
      assertTrue(other.isClosed());
      Statements.run(keeper, "INSERT INTO t VALUES (1)", "SHUTDOWN");
    }
  }

  // Arguments.

  @Test
  void shouldRefuseNull() throws SQLException {
    Blob blob = connection.createBlob();
    Clob clob = connection.createClob();
    try (Statement statement = connection.createStatement()) {
      assertFails("22023", () -> statement.enquoteIdentifier(null, true));
      assertFails("22023", () -> statement.enquoteLiteral(null));
      assertFails("22023", () -> statement.enquoteNCharLiteral(null));
      assertFails("22023", () -> statement.isSimpleIdentifier(null));
      assertFails("22023", () -> statement.unwrap(null));
      assertFalse(statement.isWrapperFor(null));
    }
    assertFails("22023", () -> connection.setClientInfo((Properties) null));
    connection.setClientInfo(null, "x");
    assertFails("22023", () -> blob.setBytes(1, null));
    assertFails("22023", () -> blob.position((byte[]) null, 1));
    assertFails("22023", () -> blob.position((Blob) null, 1));
    assertFails("22023", () -> clob.setString(1, null));
    assertFails("22023", () -> clob.position((String) null, 1));
    assertFails("22023", () -> clob.position((Clob) null, 1));
  }

  @Test
  void shouldRejectInvalidRangesOfLobs() throws SQLException {
    Blob blob = connection.createBlob();
    assertFails("22023", () -> blob.setBytes(1, new byte[2], 1, 2));
    assertFails("22023", () -> blob.setBytes(1, new byte[2], -1, 1));
    assertFails("22023", () -> blob.setBytes(1, new byte[2], 0, Integer.MAX_VALUE));
    assertFails("22023", () -> blob.truncate(Long.MAX_VALUE));
    assertFails("22023", () -> blob.truncate(Long.MIN_VALUE));
    Clob clob = connection.createClob();
    assertFails("22023", () -> clob.setString(1, "ab", 1, 2));
    assertFails("22023", () -> clob.setString(1, "ab", 3, 0));
    assertFails("22023", () -> clob.truncate(1));
    assertEquals(2, blob.setBytes(1, new byte[2], 0, 2));
    assertThrows(IOException.class, () -> writeToFreed(blob));
  }

  private static void writeToFreed(Blob blob) throws SQLException, IOException {
    try (OutputStream stream = blob.setBinaryStream(1)) {
      stream.write(1);
      blob.free();
    }
  }

  @Test
  void shouldRejectShardingKeys() {
    assertFails("0A000", () -> connection.setShardingKey(null));
    assertFails("0A000", () -> connection.setShardingKeyIfValid(null, null, 1));
  }

  @Test
  void shouldStopCursorBeforeFirstOrAfterLastRow() throws SQLException {
    try (Statement statement =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
        ResultSet rows = statement.executeQuery("VALUES 1, 2")) {
      assertTrue(rows.last());
      assertFalse(rows.relative(Integer.MAX_VALUE));
      assertTrue(rows.isAfterLast());
      assertFalse(rows.absolute(Integer.MIN_VALUE));
      assertTrue(rows.isBeforeFirst());
      statement.execute("VALUES 3");
      assertFails("24000", rows::isLast);
    }
  }
}
