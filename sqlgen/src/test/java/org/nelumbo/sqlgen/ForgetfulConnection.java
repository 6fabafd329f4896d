package org.nelumbo.sqlgen;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;

/**
 * A connection that omits a row from the result of each query that has a condition and a text of
 * even length.
 */
final class ForgetfulConnection {
  private ForgetfulConnection() {}

  static Connection of(Connection inner) {
    return wrap(Connection.class, inner, false);
  }

  private static <T> T wrap(Class<T> type, Object inner, boolean forgets) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                Object result = method.invoke(inner, arguments);
                if (forgets && method.getName().equals("getResultSet")) {
                  ((ResultSet) result).next();
                }
                return result instanceof PreparedStatement
                    ? wrap(PreparedStatement.class, result, forgets((String) arguments[0]))
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return type.cast(proxy);
  }

  private static boolean forgets(String sql) {
    return sql.contains(" WHERE ") && !sql.contains("COUNT(") && sql.length() % 2 == 0;
  }
}
