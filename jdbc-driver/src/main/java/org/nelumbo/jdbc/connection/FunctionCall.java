package org.nelumbo.jdbc.connection;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.result.NelumboResultSet;
import org.nelumbo.jdbc.value.SqlExceptions;

/**
 * A {@link CallableStatement} that calls a function by a prepared query of its value. The value is
 * either the first parameter, as in <code>{? = call f(?)}</code>, or the only row of the result.
 */
final class FunctionCall implements InvocationHandler {
  private static final Pattern ESCAPE =
      Pattern.compile(
          "\\s*\\{\\s*(\\?\\s*=)?\\s*call\\s+(.*)\\}\\s*;?\\s*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern PLAIN =
      Pattern.compile("\\s*call\\s+(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Set<String> RUNS = Set.of("execute", "executeUpdate", "executeLargeUpdate");
  private static final Set<String> BATCHES =
      Set.of("addBatch", "clearBatch", "executeBatch", "executeLargeBatch", "executeQuery");

  private final PreparedStatement query;

  /** True if the first parameter is the value of the function. */
  private final boolean returns;

  private final CallableStatement proxy;

  private ResultSet value;

  private FunctionCall(PreparedStatement query, boolean returns) {
    this.query = query;
    this.returns = returns;
    this.proxy =
        (CallableStatement)
            Proxy.newProxyInstance(
                FunctionCall.class.getClassLoader(),
                new Class<?>[] {CallableStatement.class},
                this);
  }

  /** Prepares the query of a function's value. */
  @FunctionalInterface
  interface Preparation {
    PreparedStatement prepare(String sql) throws SQLException;
  }

  /** Creates the statement for a call of a function. */
  static CallableStatement of(String sql, Preparation preparation) throws SQLException {
    if (sql == null) {
      throw SqlExceptions.badParameter("the statement is null");
    }
    Matcher escape = ESCAPE.matcher(sql);
    Matcher plain = PLAIN.matcher(sql);
    if (escape.matches()) {
      boolean returns = escape.group(1) != null;
      return new FunctionCall(preparation.prepare("SELECT " + escape.group(2)), returns).proxy;
    } else if (plain.matches()) {
      return new FunctionCall(preparation.prepare("SELECT " + plain.group(1)), false).proxy;
    }
    throw SqlExceptions.of(
        ErrorCode.INVALID_STATEMENT,
        "the statement calls no function; write {? = call f(...)} or {call f(...)}");
  }

  @Override
  public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    boolean own = method.getDeclaringClass() == CallableStatement.class;
    return switch (name) {
      case "equals" -> self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      case "toString" -> "call by " + query;
      case "registerOutParameter" -> register(arguments[0]);
      case "wasNull" -> value().wasNull();
      case "isWrapperFor" ->
          isSelf(self, arguments[0]) || query.isWrapperFor((Class<?>) arguments[0]);
      case "unwrap" -> isSelf(self, arguments[0]) ? self : query.unwrap((Class<?>) arguments[0]);
      default -> {
        if (own) {
          yield get(method, arguments);
        } else if (returns && RUNS.contains(name) && arguments == null) {
          yield run(name);
        } else if (returns && BATCHES.contains(name)) {
          throw SqlExceptions.unsupported(name + " with a call whose value is a parameter");
        } else if (returns && method.getDeclaringClass() == PreparedStatement.class) {
          yield call(query, method, shifted(name, arguments));
        }
        yield call(query, method, arguments);
      }
    };
  }

  private static boolean isSelf(Object self, Object type) {
    return type instanceof Class<?> known && known.isInstance(self);
  }

  private static SQLException byName() {
    return SqlExceptions.unsupported("a parameter by name; use its number");
  }

  private void checkReturned(Object parameter) throws SQLException {
    if (!(parameter instanceof Integer number)) {
      throw byName();
    } else if (!returns || number != 1) {
      throw SqlExceptions.of(
          ErrorCode.BAD_INDEX,
          "parameter " + number + " returns nothing; the first one does in {? = call f(...)}");
    }
  }

  private Object register(Object parameter) throws SQLException {
    if (query.isClosed()) {
      throw SqlExceptions.closed("statement");
    }
    checkReturned(parameter);
    return null;
  }

  private ResultSet value() throws SQLException {
    if (value == null || query.isClosed()) {
      throw SqlExceptions.of(
          ErrorCode.INVALID_CURSOR, "the function has not been called; run the statement first");
    }
    return value;
  }

  private Object get(Method method, Object[] arguments) throws Throwable {
    checkReturned(arguments[0]);
    try {
      Method getter = ResultSet.class.getMethod(method.getName(), method.getParameterTypes());
      return call(value(), getter, arguments);
    } catch (NoSuchMethodException e) {
      throw byName();
    }
  }

  private static Object[] shifted(String name, Object[] arguments) {
    if (!name.startsWith("set") || arguments == null || !(arguments[0] instanceof Integer)) {
      return arguments;
    }
    Object[] shifted = arguments.clone();
    shifted[0] = (Integer) arguments[0] - 1;
    return shifted;
  }

  private Object run(String name) throws SQLException {
    value = null;
    try (NelumboResultSet rows = (NelumboResultSet) query.executeQuery()) {
      value = rows.copy();
      value.next();
    }
    return switch (name) {
      case "execute" -> false;
      case "executeUpdate" -> 0;
      default -> 0L;
    };
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
