package org.nelumbo.benchmark.micro;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
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
 * The transfer of {@link SmallTransfer} through JDBC instead of the native API: two prepared
 * UPDATEs of 16-byte rows by key and a commit, serializable, on one core. Runs on Nelumbo and on
 * H2.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class SqlTransfer {
  private static final int LOADED_TOGETHER = 1_000;

  @Param({"nelumbo", "h2"})
  private String product;

  @Param({"10000", "1000000"})
  private int accounts;

  private final Draw draw = new Draw();
  private Connection connection;
  private PreparedStatement update;

  @Setup
  public void load() throws SQLException {
    String url = product.equals("h2") ? "jdbc:h2:mem:" : "jdbc:nelumbo:mem:?memory=2g";
    connection = DriverManager.getConnection(url);
    connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL)");
    }
    connection.setAutoCommit(false);
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, 0)")) {
      for (int i = 0; i < accounts; i++) {
        insert.setLong(1, i);
        insert.addBatch();
        if (i % LOADED_TOGETHER == LOADED_TOGETHER - 1 || i == accounts - 1) {
          insert.executeBatch();
          connection.commit();
        }
      }
    }
    update = connection.prepareStatement("UPDATE t SET amount = amount + ? WHERE id = ?");
  }

  @Benchmark
  public void transaction() throws SQLException {
    int from = draw.below(accounts);
    int to = draw.below(accounts - 1);
    change(from, -1);
    change(to < from ? to : to + 1, 1);
    connection.commit();
  }

  private void change(int account, long by) throws SQLException {
    update.setLong(1, by);
    update.setLong(2, account);
    if (update.executeUpdate() != 1) {
      throw new IllegalStateException("no account " + account);
    }
  }

  @TearDown
  public void close() throws SQLException {
    connection.close();
  }
}
