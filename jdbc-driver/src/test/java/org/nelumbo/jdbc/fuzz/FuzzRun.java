package org.nelumbo.jdbc.fuzz;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A run of random calls on its own database. A number determines each call: an object that an
 * earlier call has returned, a method of its {@code java.sql} interface, and the arguments. The run
 * fails if
 *
 * <ul>
 *   <li>a method throws anything but an {@code SQLException},
 *   <li>an internal error (XX000) occurs,
 *   <li>a call takes too long, or
 *   <li>the transaction is not in the state that the error implies ({@link TransactionProbe}).
 * </ul>
 */
final class FuzzRun implements AutoCloseable {
  private static final String URL = "jdbc:nelumbo:mem:?memory=64m&lockTimeout=50ms";
  private static final long CALL_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);
  private static final int KEPT = 5;
  private static final int SHUTTING_ODDS = 12;

  /** Interfaces, each repeated according to its weight. */
  private static final List<Class<?>> TARGETS =
      List.of(
          Connection.class,
          Connection.class,
          Connection.class,
          Statement.class,
          Statement.class,
          Statement.class,
          PreparedStatement.class,
          PreparedStatement.class,
          PreparedStatement.class,
          PreparedStatement.class,
          PreparedStatement.class,
          ResultSet.class,
          ResultSet.class,
          ResultSet.class,
          ResultSet.class,
          ResultSet.class,
          ResultSet.class,
          DatabaseMetaData.class,
          DatabaseMetaData.class,
          ResultSetMetaData.class,
          ParameterMetaData.class,
          Savepoint.class,
          Blob.class,
          Clob.class);

  private static final Map<Class<?>, List<Method>> METHODS = new HashMap<>();

  /**
   * Groups of methods that are drawn more often, because applications use them. Without them a run
   * would get nowhere.
   */
  private static final Map<Class<?>, List<List<Method>>> OFTEN = new HashMap<>();

  /** Methods after which the object is of little use. They are drawn less often. */
  private static final Set<String> SHUTTING =
      Set.of("close", "abort", "free", "closeOnCompletion", "setNetworkTimeout");

  static {
    for (Class<?> target : TARGETS) {
      METHODS.computeIfAbsent(target, FuzzRun::methodsOf);
    }
    OFTEN.put(Statement.class, List.of(group(Statement.class, "execute", 1)));
    OFTEN.put(
        PreparedStatement.class,
        List.of(
            group(PreparedStatement.class, "execute", 0),
            group(PreparedStatement.class, "addBatch", 0),
            group(PreparedStatement.class, "set", 2),
            group(PreparedStatement.class, "set", 3)));
    OFTEN.put(
        ResultSet.class,
        List.of(
            group(ResultSet.class, "next", 0),
            group(ResultSet.class, "get", 1),
            group(ResultSet.class, "get", 1),
            group(ResultSet.class, "get", 2)));
  }

  private final Map<Class<?>, List<Object>> objects = new HashMap<>();

  /** Numbers that identify objects in the trace. */
  private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();

  private final List<String> trace = new ArrayList<>();
  private volatile String current;

  private final boolean autoCommit;
  private final Consumer<AssertionError> finding;

  /**
   * Creates a run on a new database.
   *
   * @param autoCommit auto-commit mode of new connections
   * @param finding receives each failure, and throws it or returns to continue
   */
  FuzzRun(boolean autoCommit, Consumer<AssertionError> finding) throws SQLException {
    this.autoCommit = autoCommit;
    this.finding = finding;
    connect();
  }

  /** Returns the methods in an order that does not depend on the JVM. */
  private static List<Method> methodsOf(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .sorted(Comparator.comparing(Method::toGenericString))
        .toList();
  }

  private static List<Method> group(Class<?> type, String prefix, int parameters) {
    return METHODS.get(type).stream()
        .filter(method -> method.getName().startsWith(prefix))
        .filter(method -> method.getParameterCount() == parameters)
        .toList();
  }

  private Connection connect() throws SQLException {
    Connection connection = DriverManager.getConnection(URL);
    try (Statement statement = connection.createStatement()) {
      for (String sql : FuzzSql.SCHEMA) {
        statement.execute(sql);
      }
    }
    connection.setAutoCommit(autoCommit);
    keep(connection);
    return connection;
  }

  /** Returns the calls so far. */
  List<String> trace() {
    return trace;
  }

  /** Returns the call in progress. */
  String current() {
    return current;
  }

  /** Makes the call that a number determines. */
  void call(long number) throws SQLException {
    SplittableRandom random = new SplittableRandom(number);
    Class<?> type = TARGETS.get(random.nextInt(TARGETS.size()));
    Object target = target(type, random);
    if (target != null) {
      Method method = method(type, random);
      invoke(target, method, new FuzzArguments(random, this::newest).of(method));
    }
  }

  private Object target(Class<?> type, SplittableRandom random) throws SQLException {
    List<Object> known = objects.getOrDefault(type, List.of());
    if (type == Connection.class && random.nextInt(6) == 0 && allClosed(known)) {
      return connect();
    }
    if (known.isEmpty() || random.nextInt(12) == 0) {
      make(type, random);
      known = objects.getOrDefault(type, List.of());
    }
    return known.isEmpty() ? null : known.get(random.nextInt(known.size()));
  }

  private static boolean allClosed(List<Object> connections) throws SQLException {
    for (Object connection : connections) {
      if (!((Connection) connection).isClosed()) {
        return false;
      }
    }
    return true;
  }

  private Object newest(Class<?> type) {
    List<Object> known = objects.get(type);
    return known == null ? null : known.getLast();
  }

  private static Method method(Class<?> type, SplittableRandom random) {
    List<Method> methods = METHODS.get(type);
    List<List<Method>> often = OFTEN.get(type);
    if (often != null && random.nextInt(3) > 0) {
      methods = often.get(random.nextInt(often.size()));
    }
    Method method = methods.get(random.nextInt(methods.size()));
    boolean again =
        SHUTTING.contains(method.getName())
            ? random.nextInt(SHUTTING_ODDS) > 0
            : method.getName().startsWith("update") && random.nextInt(4) > 0;
    return again ? method(type, random) : method;
  }

  // Sensible calls, so that there are objects to call.

  private void make(Class<?> type, SplittableRandom random) throws SQLException {
    if (type == Statement.class) {
      makeStatement(random);
    } else if (type == PreparedStatement.class) {
      prepare(random);
    } else if (type == ResultSet.class) {
      makeStatement(random);
      query(random);
    } else if (type == ResultSetMetaData.class) {
      follow(ResultSet.class, "getMetaData");
    } else if (type == ParameterMetaData.class) {
      follow(PreparedStatement.class, "getParameterMetaData");
    } else if (type == DatabaseMetaData.class) {
      follow(Connection.class, "getMetaData");
    } else if (type == Savepoint.class) {
      follow(Connection.class, "setSavepoint");
    } else if (type == Blob.class) {
      follow(Connection.class, "createBlob");
    } else if (type == Clob.class) {
      follow(Connection.class, "createClob");
    }
  }

  private void follow(Class<?> type, String name, Object... arguments) throws SQLException {
    Object target = newest(type);
    if (target != null) {
      invoke(target, find(type, name, arguments), arguments);
    }
  }

  private static Method find(Class<?> type, String name, Object... arguments) {
    return METHODS.get(type).stream()
        .filter(method -> method.getName().equals(name))
        .filter(method -> method.getParameterCount() == arguments.length)
        .filter(method -> fits(method.getParameterTypes(), arguments))
        .findFirst()
        .orElseThrow();
  }

  private static boolean fits(Class<?>[] types, Object... arguments) {
    for (int i = 0; i < types.length; i++) {
      Class<?> boxed = types[i] == int.class ? Integer.class : types[i];
      if (!boxed.isInstance(arguments[i])) {
        return false;
      }
    }
    return true;
  }

  private void makeStatement(SplittableRandom random) throws SQLException {
    int type =
        random.nextInt(3) == 0 ? ResultSet.TYPE_SCROLL_INSENSITIVE : ResultSet.TYPE_FORWARD_ONLY;
    int concurrency =
        random.nextInt(3) == 0 ? ResultSet.CONCUR_UPDATABLE : ResultSet.CONCUR_READ_ONLY;
    follow(Connection.class, "createStatement", type, concurrency);
  }

  private void query(SplittableRandom random) throws SQLException {
    follow(Statement.class, "executeQuery", FuzzSql.plain(random));
    follow(ResultSet.class, "next");
  }

  private void prepare(SplittableRandom random) throws SQLException {
    follow(Connection.class, "prepareStatement", FuzzSql.prepared(random));
    for (int parameter = 1; parameter <= 14; parameter++) {
      int value = random.nextInt(4);
      follow(PreparedStatement.class, "setString", parameter, Integer.toString(value));
    }
    follow(PreparedStatement.class, random.nextBoolean() ? "execute" : "addBatch");
    follow(PreparedStatement.class, "getResultSet");
  }

  // Calls and checks of their outcomes.

  private void invoke(Object target, Method method, Object[] arguments) {
    current =
        method.getDeclaringClass().getSimpleName()
            + " "
            + numbers.computeIfAbsent(target, t -> numbers.size() + 1)
            + "."
            + method.getName()
            + "("
            + FuzzArguments.show(arguments)
            + ")";
    TransactionProbe probe = TransactionProbe.before(target, method, arguments);
    long start = System.nanoTime();
    String outcome;
    try {
      Object result = method.invoke(target, arguments);
      keep(result);
      outcome = String.valueOf(result);
    } catch (InvocationTargetException e) {
      judge(e.getCause(), probe);
      outcome = e.getCause().toString();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    long nanos = System.nanoTime() - start;
    trace.add(current + " -> " + outcome.substring(0, Math.min(outcome.length(), 150)));
    if (nanos > CALL_NANOS_MAX) {
      finding.accept(new AssertionError(current + " took " + nanos / 1_000_000 + " ms"));
    }
  }

  private void judge(Throwable thrown, TransactionProbe probe) {
    if (!(thrown instanceof SQLException failure)) {
      finding.accept(new AssertionError(current + " let out " + thrown, thrown));
    } else if (failure.getSQLState() == null || failure.getSQLState().equals("XX000")) {
      finding.accept(new AssertionError(current + ": internal error " + failure, failure));
    } else if (!probe.isAsSaidBy(failure)) {
      finding.accept(
          new AssertionError(current + ": the transaction is not as it says: " + failure, failure));
    }
  }

  private void keep(Object result) {
    for (Class<?> type : METHODS.keySet()) {
      if (type.isInstance(result)) {
        List<Object> known = objects.computeIfAbsent(type, t -> new ArrayList<>());
        known.remove(result);
        known.add(result);
        if (known.size() > KEPT) {
          known.removeFirst();
        }
      }
    }
  }

  @Override
  public void close() throws SQLException {
    for (Object connection : objects.getOrDefault(Connection.class, List.of())) {
      ((Connection) connection).close();
    }
  }
}
