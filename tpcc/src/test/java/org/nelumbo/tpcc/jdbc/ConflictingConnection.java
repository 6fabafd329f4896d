package org.nelumbo.tpcc.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLTransactionRollbackException;

/** Forwards all calls to a connection, but makes one execution or commit fail with a conflict. */
final class ConflictingConnection {
  private final Connection real;
  private int stepsLeft = Integer.MAX_VALUE;
  private boolean met;

  ConflictingConnection(Connection real) {
    this.real = real;
  }

  /** Makes the n-th execution or commit from now on fail with a conflict, once. */
  void conflictAt(int step) {
    stepsLeft = step;
    met = false;
  }

  /** Returns true if the conflict has occurred. */
  boolean met() {
    return met;
  }

  Connection connection() {
    return proxy(Connection.class, real);
  }

  private <T> T proxy(Class<T> type, T target) {
    InvocationHandler handler = (_, method, arguments) -> call(target, method, arguments);
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object call(Object target, Method method, Object[] arguments) throws Throwable {
    boolean step = method.getName().startsWith("execute") || method.getName().equals("commit");
    if (step && --stepsLeft == 0) {
      met = true;
      throw new SQLTransactionRollbackException("made up", "40001");
    }
    try {
      Object result = method.invoke(target, arguments);
      return result instanceof PreparedStatement s ? proxy(PreparedStatement.class, s) : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
