package org.nelumbo.benchmark.micro;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A prepared SELECT by primary key through JDBC, in auto-commit mode, with one thread and random
 * keys, on Nelumbo and on H2. With {@code -prof gc} it also shows the bytes allocated per
 * execution.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class PointSelect {
  private static final int ROWS_PER_GIGABYTE = 1_000_000;

  @Param({"nelumbo", "h2"})
  private String product;

  @Param("10000")
  private int rows;

  private final Draw draw = new Draw();
  private Connection connection;
  private PreparedStatement select;

  @Setup
  public void load() throws SQLException {
    int gigabytes = 1 + rows / ROWS_PER_GIGABYTE;
    String url =
        product.equals("h2") ? "jdbc:h2:mem:" : "jdbc:nelumbo:mem:?memory=" + gigabytes + "g";
    connection = DriverManager.getConnection(url);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(20), amount BIGINT)");
    }
    connection.setAutoCommit(false);
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
      for (int i = 0; i < rows; i++) {
        insert.setInt(1, i);
        insert.setString(2, "name " + i);
        insert.setLong(3, 3L * i);
        insert.addBatch();
        if (i % 1_000 == 999 || i == rows - 1) {
          insert.executeBatch();
          connection.commit();
        }
      }
    }
    connection.setAutoCommit(true);
    select = connection.prepareStatement("SELECT amount FROM t WHERE id = ?");
  }

  @Benchmark
  public long select() throws SQLException {
    select.setInt(1, draw.below(rows));
    try (ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        throw new IllegalStateException("no row");
      }
      return row.getLong(1);
    }
  }

  @TearDown
  public void close() throws SQLException {
    connection.close();
  }
}
