package org.nelumbo.benchmark.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A session whose connection changes, for a terminal that prepares its statements once. The
 * connection and the statements of the terminal are proxies. A statement is prepared on the
 * borrowed connection at its first use, and closed when the connection is returned, as in programs
 * with a pool. The session keeps the read-only state for the next transaction, because the pool
 * resets it.
 *
 * <p>Used by the terminal's thread.
 */
final class BorrowedSession {
  private final Connection proxy =
      (Connection)
          Proxy.newProxyInstance(
              BorrowedSession.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (_, method, arguments) -> onConnection(method, arguments));
  private final List<Prepared> open = new ArrayList<>();
  private Connection borrowed;
  private boolean readOnly;

  /** Returns the connection of the terminal, which is the same proxy for all calls. */
  Connection connection() {
    return proxy;
  }

  /** Directs further calls to this connection. */
  void attach(Connection connection) throws SQLException {
    borrowed = connection;
    if (readOnly) {
      connection.setReadOnly(true);
    }
  }

  /** Closes the statements prepared on the connection. The caller may return it afterwards. */
  void detach() throws SQLException {
    for (Prepared statement : open) {
      statement.release();
    }
    open.clear();
    borrowed = null;
  }

  private Object onConnection(Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("prepareStatement")) {
      Class<?>[] type = {PreparedStatement.class};
      Prepared prepared = new Prepared(method, arguments);
      return Proxy.newProxyInstance(
          BorrowedSession.class.getClassLoader(),
          type,
          (_, call, values) -> prepared.invoke(call, values));
    }
    if (method.getName().equals("setReadOnly")) {
      readOnly = (boolean) arguments[0];
    }
    if (borrowed == null) {
      throw new SQLException("no connection is borrowed for " + method.getName(), "08003");
    }
    return call(borrowed, method, arguments);
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private final class Prepared {
    private final Method prepare;
    private final Object[] arguments;
    private PreparedStatement statement;

    Prepared(Method prepare, Object[] arguments) {
      this.prepare = prepare;
      this.arguments = arguments;
    }

    Object invoke(Method method, Object[] values) throws Throwable {
      if (method.getName().equals("close")) {
        return null; // the real statement is closed when the connection is returned
      }
      if (borrowed == null) {
        throw new SQLException("no connection is borrowed for " + method.getName(), "08003");
      }
      if (statement == null) {
        statement = (PreparedStatement) call(borrowed, prepare, arguments);
        open.add(this);
      }
      return call(statement, method, values);
    }

    void release() throws SQLException {
      PreparedStatement prepared = statement;
      statement = null;
      prepared.close();
    }
  }
}
