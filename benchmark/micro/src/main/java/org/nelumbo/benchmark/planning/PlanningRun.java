package org.nelumbo.benchmark.planning;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.database.plancache.CompilationCounts;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.error.NelumboException;
import org.nelumbo.planner.frontend.PlanTimes;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;

/** Runs the statements of a set once, each in the order of the set, in a new database. */
final class PlanningRun {
  private static final long POOL_BYTES = 256L << 20;
  private static final long DAY_MILLIS = 86_400_000;

  private final StatementSet set;

  /** Statements that failed in the last run. */
  private int failures;

  private String firstFailure = "";

  PlanningRun(StatementSet set) {
    this.set = set;
  }

  int failures() {
    return failures;
  }

  /** Returns the first of these failures. */
  String firstFailure() {
    return firstFailure;
  }

  /**
   * Measures times in nanoseconds, and the bytes that are allocated until the first row.
   *
   * @param firstRows receives these bytes
   */
  void measureTimes(StageCosts times, StageCosts firstRows) throws SQLException {
    failures = 0;
    firstFailure = "";
    times.begin();
    firstRows.begin();
    try (Connection connection = DriverManager.getConnection("jdbc:nelumbo:mem:")) {
      Database database = connection.unwrap(Database.class);
      for (String sql : set.statements()) {
        if (StatementSet.isDefinition(sql)) {
          try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
          }
        } else {
          measureTimes(connection, database, sql, times, firstRows);
        }
      }
    }
  }

  private void measureTimes(
      Connection connection,
      Database database,
      String sql,
      StageCosts times,
      StageCosts firstRows) {
    CompilationCounts before = database.statistics().compilations();
    long nanos = 0;
    long bytes = 0;
    boolean isDone = false;
    long bytesBefore = AllocationClock.allocated();
    long start = System.nanoTime();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      nanos = System.nanoTime() - start;
      bytes = AllocationClock.allocated() - bytesBefore;
      bind(statement, sql);
      bytesBefore = AllocationClock.allocated();
      start = System.nanoTime();
      if (statement.execute()) {
        try (ResultSet rows = statement.getResultSet()) {
          rows.next();
          nanos += System.nanoTime() - start;
          bytes += AllocationClock.allocated() - bytesBefore;
        }
      } else {
        nanos += System.nanoTime() - start;
        bytes += AllocationClock.allocated() - bytesBefore;
      }
      isDone = true;
    } catch (SQLException e) {
      noteFailure(sql, e);
    }
    Map<PlanTimes.Stage, Long> stages = difference(before, database.statistics().compilations());
    if (stages != null) {
      times.add(stages, isDone ? nanos : -1);
      firstRows.add(Map.of(), isDone ? bytes : -1);
    }
  }

  private void noteFailure(String sql, Exception e) {
    if (failures++ == 0) {
      firstFailure = e.getMessage() + ": " + sql;
    }
  }

  /** Measures the bytes that the stages of planning allocate; runs definitions only. */
  void measureBytes(StageCosts bytes) {
    bytes.begin();
    AllocationClock clock = new AllocationClock();
    DatabaseOptions options =
        DatabaseOptions.defaults()
            .withMemoryBytes(POOL_BYTES)
            .withExpectation(PoolExpectation.ABSENT);
    try (Database database =
            DatabaseOpener.attach(
                options, clock, "planning", "", () -> new LocalFabric(POOL_BYTES, clock));
        Session session = database.connect(SessionOptions.defaults())) {
      for (String sql : set.statements()) {
        if (StatementSet.isDefinition(sql)) {
          session.newExecution(session.prepare(sql)).executeUpdate();
        } else {
          CompilationCounts before = database.statistics().compilations();
          try {
            clock.count(() -> session.prepare(sql));
          } catch (NelumboException _) {
            // the run that measures times reports it
          }
          Map<PlanTimes.Stage, Long> stages =
              difference(before, database.statistics().compilations());
          if (stages != null) {
            bytes.add(stages, -1);
          }
        }
      }
    }
  }

  /** Returns the costs of the stages between two counts, or null if nothing was compiled. */
  private static Map<PlanTimes.Stage, Long> difference(
      CompilationCounts before, CompilationCounts after) {
    if (after.compilations() == before.compilations()) {
      return null;
    }
    Map<PlanTimes.Stage, Long> stages = new EnumMap<>(PlanTimes.Stage.class);
    after.nanos().forEach((stage, cost) -> stages.put(stage, cost - before.nanos().get(stage)));
    return stages;
  }

  /**
   * Sets all parameters of a row to the same value, so that foreign keys find the rows of earlier
   * statements: 1, and from 2 on in an INSERT of several rows.
   */
  private static void bind(PreparedStatement statement, String sql) throws SQLException {
    ParameterMetaData parameters = statement.getParameterMetaData();
    int count = parameters.getParameterCount();
    int rows = Math.max(1, sql.split("\\(\\?", -1).length - 1);
    for (int i = 0; i < count; i++) {
      int value = rows == 1 ? 1 : 2 + i * rows / count;
      bind(statement, i + 1, parameters.getParameterType(i + 1), value);
    }
  }

  private static void bind(PreparedStatement statement, int parameter, int type, int value)
      throws SQLException {
    switch (type) {
      case Types.CHAR, Types.VARCHAR -> statement.setString(parameter, Integer.toString(value));
      case Types.DECIMAL -> statement.setBigDecimal(parameter, BigDecimal.valueOf(value, 2));
      case Types.DATE -> statement.setDate(parameter, new Date(value * DAY_MILLIS));
      case Types.TIME -> statement.setTime(parameter, new Time(value));
      case Types.TIMESTAMP -> statement.setTimestamp(parameter, new Timestamp(value));
      case Types.TIMESTAMP_WITH_TIMEZONE ->
          statement.setObject(
              parameter, OffsetDateTime.ofInstant(Instant.ofEpochSecond(value), ZoneOffset.UTC));
      case Types.BOOLEAN -> statement.setBoolean(parameter, true);
      case Types.BINARY, Types.VARBINARY, Types.BLOB ->
          statement.setBytes(parameter, new byte[] {(byte) value});
      case Types.OTHER -> statement.setObject(parameter, new UUID(0, value));
      default -> statement.setInt(parameter, value);
    }
  }
}
