package org.nelumbo.database;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.session.Rows;
import org.nelumbo.session.SessionOptions;
import org.nelumbo.session.StatementExecution;
import org.nelumbo.types.ColumnType;

/** Runs statements in a session and returns results as text. */
public final class Sql implements AutoCloseable {
  private final EmbeddedSession session;

  public Sql(Database database) {
    this.session = database.connect(SessionOptions.defaults());
  }

  public Sql(EmbeddedSession session) {
    this.session = session;
  }

  /** Opens a session without auto-commit. */
  public static Sql transactions(Database database) {
    Sql sql = new Sql(database);
    sql.session.setAutoCommit(false);
    return sql;
  }

  public static Database memory() {
    return DatabaseOpener.openMemory(DatabaseOptions.defaults().withMemoryBytes(256L << 20));
  }

  /**
   * Returns the rows of a VALUES list in parentheses.
   *
   * @param row returns the values of the row with the given number
   */
  public static String rows(int from, int to, IntFunction<String> row) {
    return IntStream.range(from, to).mapToObj(row).collect(Collectors.joining("), (", "(", ")"));
  }

  public EmbeddedSession session() {
    return session;
  }

  /** Runs statements that return no rows. */
  public Sql run(String... statements) {
    for (String sql : statements) {
      update(sql);
    }
    return this;
  }

  public long update(String sql, Object... parameters) {
    try (StatementExecution execution = session.newExecution(session.prepare(sql))) {
      set(execution, parameters);
      return execution.executeUpdate();
    }
  }

  /**
   * Runs a statement for many rows of parameters, each announced beforehand, as {@code
   * executeBatch} does.
   *
   * @return the update count of each row
   */
  public long[] updateMany(String sql, int rows, IntFunction<Object[]> parameters) {
    long[] counts = new long[rows];
    try (StatementExecution execution = session.newExecution(session.prepare(sql))) {
      for (int next = 0; next < rows; ) {
        int shown = next;
        boolean more = true;
        while (more && shown < rows) {
          set(execution, parameters.apply(shown++));
          more = execution.hint();
        }
        for (; next < shown; next++) {
          set(execution, parameters.apply(next));
          counts[next] = execution.executeUpdate();
        }
      }
    }
    return counts;
  }

  /** Returns the round trips of an action in this session, if the database counts them. */
  long roundTrips(Runnable work) {
    long before = session.counters().roundTrips();
    work.run();
    return session.counters().roundTrips() - before;
  }

  /** Returns rows as text: values separated by blanks, NULL as null. */
  public List<String> query(String sql, Object... parameters) {
    List<String> rows = new ArrayList<>();
    query(sql, row -> rows.add(String.join(" ", row)), parameters);
    return rows;
  }

  public void query(String sql, Consumer<List<String>> consumer, Object... parameters) {
    try (StatementExecution execution = session.newExecution(session.prepare(sql))) {
      set(execution, parameters);
      execution.executeQuery();
      while (execution.next()) {
        consumer.accept(row(execution, execution.plan().columns()));
      }
    }
  }

  public static List<String> row(Rows rows, List<ResultColumn> columns) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      values.add(text(rows, i, columns.get(i).type()));
    }
    return values;
  }

  private static String text(Rows rows, int column, ColumnType type) {
    if (rows.isNull(column)) {
      return "null";
    } else if (!type.isLong()) {
      Object value = rows.objectAt(column);
      return value instanceof BigDecimal number ? number.toPlainString() : value.toString();
    }
    long raw = rows.longAt(column);
    return switch (type.kind()) {
      case BOOLEAN -> raw == 0 ? "false" : "true";
      case REAL, DOUBLE -> Double.toString(Double.longBitsToDouble(raw));
      case DECIMAL -> BigDecimal.valueOf(raw, type.scale()).toPlainString();
      default -> Long.toString(raw);
    };
  }

  public static void set(StatementExecution execution, Object... parameters) {
    for (int i = 0; i < parameters.length; i++) {
      ColumnType type = execution.plan().parameters().get(i).type();
      Object value = parameters[i];
      if (value == null) {
        execution.parameters().setNull(i);
      } else if (!type.isLong()) {
        execution
            .parameters()
            .setObject(
                i,
                type.kind().isNumeric()
                    ? new BigDecimal(value.toString()).setScale(type.scale())
                    : value);
      } else if (type.kind().isFloating()) {
        execution
            .parameters()
            .setLong(i, Double.doubleToRawLongBits(((Number) value).doubleValue()));
      } else if (type.kind().isNumeric()) {
        execution
            .parameters()
            .setLong(
                i,
                new BigDecimal(value.toString())
                    .setScale(type.scale())
                    .unscaledValue()
                    .longValueExact());
      } else {
        execution.parameters().setLong(i, ((Number) value).longValue());
      }
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
