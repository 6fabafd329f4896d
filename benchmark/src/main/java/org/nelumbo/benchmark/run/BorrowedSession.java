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
 * A session on connections that change, for a terminal that prepares its statements once: its
 * connection and statements are proxies. A statement is prepared on the borrowed connection when it
 * is first used, and closed when the connection is given back, as programs with a pool do. Whether
 * the next transaction only reads is remembered, because the pool resets it.
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

  /** The connection of the terminal: one proxy for all calls. */
  Connection connection() {
    return proxy;
  }

  /** Works on this connection from now on. */
  void attach(Connection connection) throws SQLException {
    borrowed = connection;
    if (readOnly) {
      connection.setReadOnly(true);
    }
  }

  /** Closes what has been prepared on the connection; it may be given back then. */
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

  /** A statement to prepare when it is needed. */
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
        return null; // the real one is closed when the connection is given back
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
