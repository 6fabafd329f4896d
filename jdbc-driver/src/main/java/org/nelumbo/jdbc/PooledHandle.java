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
 * The logical connection of a pool's user: a {@link Connection} proxy that delegates to the
 * physical connection until it is closed. Closing it returns the physical connection to the pool.
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

  /** The owner of the physical connection. */
  interface Owner {
    /** Returns the physical connection. */
    NelumboConnection connection();

    /** Called when the user has closed the handle. */
    void returned() throws SQLException;

    /**
     * Called for each exception of the physical connection; it may mean that the connection is
     * lost.
     */
    void failed(SQLException e);
  }

  Connection proxy() {
    return proxy;
  }

  /** Detaches the handle from the connection; returns false if it was closed before. */
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
