package org.nelumbo.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.nelumbo.jdbc.connection.NelumboConnection;
import org.nelumbo.jdbc.value.SqlExceptions;

/**
 * What the user of a pooled connection has in his hands: a {@link Connection} that does what the
 * real one does until it is closed, which gives the real one back.
 */
final class PooledHandle implements InvocationHandler {
  private final Owner pooled;
  private final Connection proxy;
  private volatile boolean closed;

  PooledHandle(Owner pooled) {
    this.pooled = pooled;
    this.proxy =
        (Connection)
            Proxy.newProxyInstance(
                PooledHandle.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
  }

  /** Whose connection it is. */
  interface Owner {
    /** The real connection. */
    NelumboConnection connection();

    /** The user of the connection has closed it. */
    void returned() throws SQLException;

    /** Hears of an exception, which may mean that the connection is lost. */
    void failed(SQLException e);
  }

  Connection proxy() {
    return proxy;
  }

  /** Takes the connection away from its user; false if he has closed it. */
  boolean leave() {
    boolean had = !closed;
    closed = true;
    return had;
  }

  @Override
  public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "equals" -> self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      case "toString" -> "connection of a pool";
      case "isClosed" -> closed || pooled.connection().isClosed();
      case "close" -> {
        if (leave()) {
          pooled.returned();
        }
        yield null;
      }
      case "isValid" -> !closed && pooled.connection().isValid((int) arguments[0]);
      default -> call(method, arguments);
    };
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    if (closed) {
      throw SqlExceptions.closed("connection");
    }
    try {
      return method.invoke(pooled.connection(), arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SQLException failure) {
        pooled.failed(failure);
      }
      throw e.getCause();
    }
  }
}
