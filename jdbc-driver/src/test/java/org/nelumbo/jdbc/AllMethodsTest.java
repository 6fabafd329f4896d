package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.Driver;
import java.sql.JDBCType;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLType;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.ConnectionPoolDataSource;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.jdbc.statement.NelumboPreparedStatement;
import org.nelumbo.jdbc.value.MemoryBlob;
import org.nelumbo.jdbc.value.MemoryClob;

/**
 * Calls each method of each interface of JDBC with usual arguments. Every method returns a result,
 * refuses these arguments with a matching SQLState, or is one of the few unsupported methods.
 */
class AllMethodsTest {
  private static final String URL = "jdbc:nelumbo:mem:methods?memory=64m";

  /**
   * Unsupported features, by the words that their method names have in common. This list may only
   * shrink.
   */
  private static final Map<String, String> UNSUPPORTED =
      Map.ofEntries(
          Map.entry("Array", "there is no type ARRAY"),
          Map.entry("ArrayOf", "there is no type ARRAY"),
          Map.entry("Struct", "there are no types of users"),
          Map.entry("Ref", "there are no types of users"),
          Map.entry("RowId", "a row is told by its primary key"),
          Map.entry("SQLXML", "there is no type XML; text keeps it"),
          Map.entry("URL", "there is no type DATALINK; text keeps it"),
          Map.entry("CursorName", "updatable results do what WHERE CURRENT OF would"),
          Map.entry("ShardingKey", "a connection reaches the whole database"),
          Map.entry("ShardingKeyIfValid", "a connection reaches the whole database"),
          Map.entry("ShardingKeyBuilder", "a connection reaches the whole database"),
          Map.entry("ConnectionBuilder", "builders are there for sharding keys alone"),
          Map.entry("PooledConnectionBuilder", "builders are there for sharding keys alone"),
          Map.entry("ParentLogger", "the driver logs through SLF4J"));

  /** Methods that may return null. Getters of column values are not listed. */
  private static final Set<String> MAY_BE_NULL =
      Set.of(
          "Connection.getCatalog",
          "Connection.getClientInfo",
          "Connection.getWarnings",
          "ConnectionPoolDataSource.getLogWriter",
          "DataSource.getLogWriter",
          "Driver.connect",
          "ResultSet.getWarnings",
          "Statement.getResultSet",
          "Statement.getWarnings");

  /** Methods that still work after their object or its connection is closed. */
  private static final Set<String> ANSWER_WHEN_CLOSED =
      Set.of(
          "abort",
          "addConnectionEventListener",
          "addStatementEventListener",
          "beginRequest",
          "close",
          "endRequest",
          "enquoteIdentifier",
          "enquoteLiteral",
          "enquoteNCharLiteral",
          "free",
          "isClosed",
          "isSimpleIdentifier",
          "isValid",
          "isWrapperFor",
          "removeConnectionEventListener",
          "removeStatementEventListener");

  private final NelumboDataSource source = new NelumboDataSource();
  private Connection keeper;

  @BeforeEach
  void open() throws SQLException {
    source.setUrl(URL);
    keeper = source.getConnection();
    try (Statement statement = keeper.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR(20))");
      statement.execute("INSERT INTO t VALUES (1, '1'), (2, '2')");
    }
  }

  @AfterEach
  void close() throws SQLException {
    try (Statement statement = keeper.createStatement()) {
      statement.execute("SHUTDOWN");
    }
    keeper.close();
  }

  /** Creates an object of an interface. */
  @FunctionalInterface
  private interface Maker {
    Object make(Connection connection) throws SQLException;
  }

  private static ResultSet rows(Connection connection) throws SQLException {
    Statement statement =
        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
    ResultSet rows = statement.executeQuery("SELECT s, id FROM t ORDER BY id");
    rows.next();
    return rows;
  }

  private static PreparedStatement prepared(Connection connection) throws SQLException {
    return connection.prepareStatement("SELECT s, id FROM t WHERE s = ?");
  }

  private static CallableStatement call(Connection connection) throws SQLException {
    CallableStatement call = connection.prepareCall("{? = call UPPER(?)}");
    call.registerOutParameter(1, java.sql.Types.VARCHAR);
    call.setString(2, "1");
    call.execute();
    return call;
  }

  private final Map<Class<?>, Maker> makers =
      Map.ofEntries(
          Map.entry(Connection.class, connection -> connection),
          Map.entry(Statement.class, connection -> connection.createStatement()),
          Map.entry(PreparedStatement.class, AllMethodsTest::prepared),
          Map.entry(CallableStatement.class, AllMethodsTest::call),
          Map.entry(ResultSet.class, AllMethodsTest::rows),
          Map.entry(ResultSetMetaData.class, connection -> rows(connection).getMetaData()),
          Map.entry(
              ParameterMetaData.class, connection -> prepared(connection).getParameterMetaData()),
          Map.entry(DatabaseMetaData.class, Connection::getMetaData),
          Map.entry(Blob.class, Connection::createBlob),
          Map.entry(Clob.class, Connection::createClob),
          Map.entry(NClob.class, Connection::createNClob),
          Map.entry(Driver.class, connection -> new NelumboDriver()),
          Map.entry(DataSource.class, connection -> source),
          Map.entry(ConnectionPoolDataSource.class, connection -> source),
          Map.entry(PooledConnection.class, connection -> source.getPooledConnection()),
          Map.entry(Savepoint.class, AllMethodsTest::savepoint));

  private static List<Method> methods(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> !Set.of("setUrl", "setLoginTimeout").contains(method.getName()))
        .toList();
  }

  @Test
  void shouldExecuteOrRejectEveryMethod() throws Exception {
    Set<String> unsupported = new TreeSet<>();
    int calls = 0;
    for (Map.Entry<Class<?>, Maker> entry : makers.entrySet()) {
      for (Method method : methods(entry.getKey())) {
        call(entry.getValue(), method, unsupported);
        calls++;
      }
    }
    assertEquals(true, calls > 900, "calls=" + calls);
    Set<String> words = new TreeSet<>();
    Set<String> surprises = new TreeSet<>();
    for (String name : unsupported) {
      String what = name.substring(name.indexOf('.') + 1).replaceFirst("^[a-z]+", "");
      (UNSUPPORTED.containsKey(what) ? words : surprises)
          .add(UNSUPPORTED.containsKey(what) ? what : name);
    }
    assertEquals(new TreeSet<>(UNSUPPORTED.keySet()), words);
    // the value of this call is a parameter, and parameters have numbers, not names
    surprises.removeIf(name -> name.matches("CallableStatement\\.(get|set|register)\\w+"));
    assertEquals(
        Set.of(
            "PreparedStatement.addBatch",
            "PreparedStatement.executeQuery",
            "Statement.addBatch",
            "Statement.clearBatch",
            "Statement.executeBatch",
            "Statement.executeLargeBatch",
            "Statement.executeQuery"),
        surprises);
  }

  private static void close(Object target) throws SQLException {
    switch (target) {
      case Connection connection -> connection.close();
      case Statement statement -> statement.close();
      case ResultSet rows -> rows.close();
      case PooledConnection pooled -> pooled.close();
      case Clob clob -> clob.free();
      case Blob blob -> blob.free();
      default -> throw new AssertionError(target + " cannot be closed");
    }
  }

  @Test
  void shouldRejectCallsOnClosedObjects() throws Exception {
    Set<String> answered = new TreeSet<>();
    for (Map.Entry<Class<?>, Maker> entry : makers.entrySet()) {
      boolean closes =
          Arrays.stream(entry.getKey().getMethods())
              .anyMatch(method -> Set.of("close", "free").contains(method.getName()));
      for (Method method : closes ? methods(entry.getKey()) : List.<Method>of()) {
        callClosed(entry.getValue(), method, false, answered);
        if (!Set.of(Blob.class, Clob.class, NClob.class).contains(entry.getKey())
            && !PooledConnection.class.isAssignableFrom(entry.getKey())) {
          callClosed(entry.getValue(), method, true, answered);
        }
      }
    }
    assertEquals(new TreeSet<>(ANSWER_WHEN_CLOSED), answered);
  }

  private static void callClosed(
      Maker maker, Method method, boolean byConnection, Set<String> answered) throws Exception {
    try (Connection connection = java.sql.DriverManager.getConnection(URL)) {
      Object[] arguments = arguments(method, connection);
      connection.setAutoCommit(true);
      Object target = maker.make(connection);
      close(byConnection ? connection : target);
      try {
        method.invoke(target, arguments);
        answered.add(method.getName());
      } catch (InvocationTargetException e) {
        if (!(e.getCause() instanceof SQLException failure)) {
          throw new AssertionError(method + " has thrown", e.getCause());
        }
        assertEquals(
            true,
            Set.of("08003", "24000", "22023", "0A000").contains(failure.getSQLState()),
            method + " " + failure);
      }
    }
  }

  /** A listener that ignores all events. */
  private static final class Listener implements ConnectionEventListener {
    @Override
    public void connectionClosed(ConnectionEvent event) {}

    @Override
    public void connectionErrorOccurred(ConnectionEvent event) {}
  }

  /** The identifier of a transaction branch. */
  private static final class Name implements Xid {
    @Override
    public int getFormatId() {
      return 1;
    }

    @Override
    public byte[] getGlobalTransactionId() {
      return new byte[] {1};
    }

    @Override
    public byte[] getBranchQualifier() {
      return new byte[] {1};
    }
  }

  private static Object savepoint(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    return connection.setSavepoint("s");
  }

  private static void call(Maker maker, Method method, Set<String> unsupported) throws Exception {
    String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
    try (Connection connection = java.sql.DriverManager.getConnection(URL)) {
      Object target = maker.make(connection);
      Object[] arguments = arguments(method, connection);
      try {
        Object result = method.invoke(target, arguments);
        boolean mayBeNull = method.getReturnType() == void.class || MAY_BE_NULL.contains(name);
        assertEquals(true, result != null || mayBeNull, name + " has returned null");
      } catch (InvocationTargetException e) {
        if (!(e.getCause() instanceof SQLException failure)) {
          throw new AssertionError(method + " has thrown", e.getCause());
        }
        assertNotEquals("XX000", failure.getSQLState(), method.toString());
        if (failure instanceof SQLFeatureNotSupportedException) {
          unsupported.add(name);
        } else {
          assertEquals(5, String.valueOf(failure.getSQLState()).length(), method.toString());
        }
      }
    }
  }

  private static Object[] arguments(Method method, Connection connection) throws SQLException {
    Object[] arguments = new Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = argument(method.getParameterTypes()[i], connection);
    }
    return arguments;
  }

  private static Object argument(Class<?> type, Connection connection) throws SQLException {
    return switch (type.getSimpleName()) {
      case "int" -> 1;
      case "long" -> 1L;
      case "short" -> (short) 1;
      case "byte" -> (byte) 1;
      case "boolean" -> true;
      case "float" -> 1f;
      case "double" -> 1.0;
      case "String" -> "s";
      case "Object" -> "1";
      case "BigDecimal" -> BigDecimal.ONE;
      case "byte[]" -> new byte[] {'1'};
      case "int[]" -> new int[] {1};
      case "String[]" -> new String[] {"S"};
      case "Object[]" -> new Object[] {1};
      case "Date" -> Date.valueOf("2024-02-29");
      case "Time" -> Time.valueOf("10:00:00");
      case "Timestamp" -> Timestamp.valueOf("2024-02-29 10:00:00");
      case "Calendar" -> new GregorianCalendar();
      case "Class" -> String.class;
      case "Map" -> Map.of();
      case "Properties" -> new Properties();
      case "Executor" -> (Executor) Runnable::run;
      case "SQLType" -> (SQLType) JDBCType.VARCHAR;
      case "InputStream" -> (InputStream) new ByteArrayInputStream(new byte[] {'1'});
      case "Reader" -> (Reader) new StringReader("1");
      case "Blob" -> new MemoryBlob(new byte[] {'1'});
      case "Clob", "NClob" -> new MemoryClob("1");
      case "ConnectionEventListener" -> new Listener();
      case "Xid" -> new Name();
      case "Savepoint" -> {
        connection.setAutoCommit(false);
        yield connection.setSavepoint();
      }
      default -> null;
    };
  }

  @Test
  void shouldCallFunctions() throws SQLException {
    try (CallableStatement call = keeper.prepareCall("{ ? = call SUBSTRING(?, ?) }")) {
      assertEquals(
          "24000",
          org.junit.jupiter.api.Assertions.assertThrows(SQLException.class, () -> call.getString(1))
              .getSQLState());
      call.registerOutParameter(1, JDBCType.VARCHAR);
      call.setString(2, "hello");
      call.setInt(3, 3);
      assertEquals(false, call.execute());
      assertEquals("llo", call.getString(1));
      assertEquals(false, call.wasNull());
      call.setObject(2, null);
      assertEquals(0, call.executeUpdate());
      assertEquals(null, call.getObject(1, String.class));
      assertEquals(true, call.wasNull());
      assertEquals(call, call.unwrap(CallableStatement.class));
      assertEquals(true, call.isWrapperFor(NelumboPreparedStatement.class));
    }
    for (String sql : new String[] {"call current_schema", "{call current_schema}"}) {
      try (CallableStatement call = keeper.prepareCall(sql);
          ResultSet row = call.executeQuery()) {
        row.next();
        assertEquals("PUBLIC", row.getString(1));
      }
    }
  }
}
