package org.nelumbo.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.jdbc.NelumboDataSource;

class DatabaseMetricsTest {
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final NelumboDataSource source = new NelumboDataSource();
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    source.setUrl("jdbc:nelumbo:mem:metrics?memory=256m&conflict=no-wait");
    connection = source.getConnection();
    connection.setAutoCommit(false);
    execute(connection, "CREATE TABLE t (a INT PRIMARY KEY, b INT)");
    execute(connection, "INSERT INTO t VALUES (1, 0)");
    connection.commit();
    DatabaseMetrics.of(source).bindTo(registry);
  }

  @AfterEach
  void shutDown() throws SQLException {
    execute(connection, "SHUTDOWN");
    connection.close();
  }

  private static void execute(Connection on, String sql) throws SQLException {
    try (Statement statement = on.createStatement()) {
      statement.execute(sql);
    }
  }

  private double ended(String outcome) {
    return registry
        .get("nelumbo.transactions.ended")
        .tag("outcome", outcome)
        .functionCounter()
        .count();
  }

  @Test
  void shouldCountHowTransactionsEnd() throws SQLException {
    double committed = ended("committed");
    double rolledBack = ended("rolled_back");
    execute(connection, "UPDATE t SET b = 1 WHERE a = 1");
    assertEquals(1, registry.get("nelumbo.transactions.active").gauge().value());
    connection.commit();
    assertEquals(committed + 1, ended("committed"));
    execute(connection, "UPDATE t SET b = 2 WHERE a = 1");
    connection.rollback();
    assertEquals(rolledBack + 1, ended("rolled_back"));
    assertEquals(0, ended("lost"));
    assertEquals(0, registry.get("nelumbo.transactions.active").gauge().value());
  }

  @Test
  void shouldShowTheMemoryOfStatements() {
    double limit = registry.get("nelumbo.query.memory").tag("state", "limit").gauge().value();
    double used = registry.get("nelumbo.query.memory").tag("state", "used").gauge().value();
    assertTrue(limit > used && used >= 0, () -> used + " of " + limit);
    assertTrue(registry.get("nelumbo.query.spills").functionCounter().count() >= 0);
  }

  @Test
  void shouldCountTransactionsThatLose() throws SQLException {
    execute(connection, "UPDATE t SET b = 1 WHERE a = 1");
    try (Connection other = source.getConnection()) {
      other.setAutoCommit(false);
      assertThrows(SQLException.class, () -> execute(other, "UPDATE t SET b = 2 WHERE a = 1"));
      assertEquals(2, registry.get("nelumbo.sessions").gauge().value());
    }
    assertEquals(1, ended("lost"), "also after its session was closed");
    assertEquals(1, registry.get("nelumbo.sessions").gauge().value());
    connection.rollback();
  }

  @Test
  void shouldCountStatementsByLatencyAndAbortsByCause() throws SQLException {
    for (int i = 0; i < 200; i++) {
      execute(connection, "UPDATE t SET b = 1 WHERE a = 1");
    }
    double measured = updates("+Inf");
    assertTrue(measured > 0 && measured < 200, "one in 16, measured=" + measured);
    assertTrue(updates("68.719476736") <= measured);
    try (Connection other = source.getConnection()) {
      other.setAutoCommit(false);
      assertThrows(SQLException.class, () -> execute(other, "UPDATE t SET b = 2 WHERE a = 1"));
    }
    assertEquals(
        1,
        registry
            .get("nelumbo.transactions.aborted")
            .tag("cause", "lock")
            .functionCounter()
            .count());
    assertEquals(0, registry.get("nelumbo.lock.waits").functionCounter().count());
    connection.rollback();
  }

  private double updates(String le) {
    return registry
        .get("nelumbo.statement.seconds.bucket")
        .tag("kind", "update")
        .tag("le", le)
        .functionCounter()
        .count();
  }

  @Test
  void shouldCountCompilationsAndTheirStages() throws SQLException {
    double before = compiled();
    double parse = compileSeconds("parse");
    double validate = compileSeconds("validate");
    double optimize = compileSeconds("optimize");
    execute(connection, "SELECT COUNT(*) FROM t x LEFT JOIN t y ON x.a = y.b");
    assertEquals(before + 1, compiled());
    assertTrue(compileSeconds("parse") > parse);
    assertTrue(compileSeconds("validate") > validate);
    assertTrue(compileSeconds("convert") > 0);
    assertTrue(compileSeconds("optimize") > optimize);
    execute(connection, "SELECT COUNT(*) FROM t x LEFT JOIN t y ON x.a = y.b");
    assertEquals(before + 1, compiled(), "the second plan comes from the cache");
    assertThrows(SQLException.class, () -> execute(connection, "SELECT FROM nothing WHERE"));
    assertEquals(before + 2, compiled());
    connection.rollback();
  }

  private double compiled() {
    return registry.get("nelumbo.plans.compiled").functionCounter().count();
  }

  private double compileSeconds(String stage) {
    return registry
        .get("nelumbo.plans.compile.seconds")
        .tag("stage", stage)
        .functionCounter()
        .count();
  }

  @Test
  void shouldReportPoolMemory() {
    assertEquals(256 << 20, memory("capacity"));
    assertTrue(memory("live") > 0);
    assertTrue(memory("taken") >= memory("live"));
    assertEquals(0, registry.get("nelumbo.network.frames").functionCounter().count());
  }

  @Test
  void shouldContinueWithReopenedDatabase() throws SQLException {
    execute(connection, "SHUTDOWN");
    connection.close();
    assertEquals(0, registry.get("nelumbo.sessions").gauge().value());
    System.gc();
    connection = source.getConnection();
    assertEquals(1, registry.get("nelumbo.sessions").gauge().value());
    double committed = ended("committed");
    execute(connection, "CREATE TABLE t (a INT PRIMARY KEY)");
    execute(connection, "INSERT INTO t VALUES (1)");
    assertTrue(ended("committed") > committed);
    assertEquals(256 << 20, memory("capacity"));
  }

  private double memory(String state) {
    return registry
        .get("nelumbo.pool.memory")
        .tag("database", "metrics")
        .tag("state", state)
        .gauge()
        .value();
  }
}
