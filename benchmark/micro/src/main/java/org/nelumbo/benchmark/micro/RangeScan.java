package org.nelumbo.benchmark.micro;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A prepared SELECT of a short range of primary keys through JDBC, in a serializable transaction of
 * its own, on Nelumbo, H2 and HSQLDB. Table and statements are those of YCSB in BenchBase: a key
 * and ten texts of 100 characters, all columns read as strings. In the second benchmark a second
 * transaction changes a random row after each scan, so that sessions ({@code -t}) conflict;
 * transactions that fail with a conflict are counted separately. Also counts rows and processor
 * time, since a busy machine prolongs an operation.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class RangeScan {
  private static final String CONFLICT = "40";
  private static final int FIELDS = 10;
  private static final int FIELD_LENGTH = 100;
  private static final int BATCH = 1_000;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** The loaded table. */
  @State(Scope.Benchmark)
  public static class Table {
    @Param({"nelumbo", "h2", "hsqldb"})
    private String product;

    /** Rows of a range. */
    @Param({"10", "100", "1000"})
    private int rows;

    @Param("100000")
    private int records;

    private final AtomicInteger sessions = new AtomicInteger();
    private String url;
    private Connection first;

    @Setup
    public void load() throws SQLException {
      url =
          switch (product) {
            case "h2" -> "jdbc:h2:mem:" + UUID.randomUUID();
            case "hsqldb" -> "jdbc:hsqldb:mem:" + UUID.randomUUID() + ";hsqldb.tx=mvcc";
            default -> "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=1g";
          };
      first = DriverManager.getConnection(url);
      StringBuilder columns = new StringBuilder();
      for (int i = 1; i <= FIELDS; i++) {
        columns.append(", field").append(i).append(" VARCHAR(").append(FIELD_LENGTH).append(')');
      }
      try (Statement statement = first.createStatement()) {
        statement.execute("CREATE TABLE usertable (ycsb_key INT PRIMARY KEY" + columns + ")");
      }
      first.setAutoCommit(false);
      SplittableRandom random = new SplittableRandom(1);
      try (PreparedStatement insert =
          first.prepareStatement("INSERT INTO usertable VALUES (?" + ", ?".repeat(FIELDS) + ")")) {
        for (int key = 0; key < records; key++) {
          insert.setInt(1, key);
          for (int i = 1; i <= FIELDS; i++) {
            insert.setString(1 + i, text(random));
          }
          insert.addBatch();
          if (key % BATCH == BATCH - 1 || key == records - 1) {
            insert.executeBatch();
            first.commit();
          }
        }
      }
    }

    @TearDown
    public void drop() throws SQLException {
      try (Statement statement = first.createStatement()) {
        statement.execute("SHUTDOWN");
      }
    }
  }

  /** The state of one session. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Session {
    /** Number of transactions that failed with a conflict. */
    public long refused;

    /** Number of rows that were read. */
    public long rowsRead;

    /** Processor time of the session; divided by the rows, it depends little on other processes. */
    public long cpuMicros;

    private long begun;
    private SplittableRandom random;
    private Connection connection;
    private PreparedStatement scan;
    private PreparedStatement update;

    @Setup
    public void connect(Table table) throws SQLException {
      random = new SplittableRandom(table.sessions.getAndIncrement());
      connection = DriverManager.getConnection(table.url);
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      scan = connection.prepareStatement("SELECT * FROM usertable WHERE ycsb_key>? AND ycsb_key<?");
      update = connection.prepareStatement("UPDATE usertable SET field1=? WHERE ycsb_key=?");
    }

    @Setup(Level.Iteration)
    public void begin() {
      begun = THREADS.getCurrentThreadCpuTime();
    }

    @TearDown(Level.Iteration)
    public void end() {
      cpuMicros = (THREADS.getCurrentThreadCpuTime() - begun) / 1_000;
    }

    @TearDown(Level.Trial)
    public void close() throws SQLException {
      connection.close();
    }
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder(FIELD_LENGTH);
    for (int i = 0; i < FIELD_LENGTH; i++) {
      text.append((char) (' ' + random.nextInt('~' - ' ' + 1)));
    }
    return text.toString();
  }

  @Benchmark
  public void scan(Table table, Session session, Blackhole sink) throws SQLException {
    try {
      read(table, session, sink);
    } catch (SQLException e) {
      refuse(session, e);
    }
  }

  @Benchmark
  public void scanAndUpdate(Table table, Session session, Blackhole sink) throws SQLException {
    try {
      read(table, session, sink);
      session.update.setString(1, "a text of some length");
      session.update.setInt(2, session.random.nextInt(table.records));
      session.update.executeUpdate();
      session.connection.commit();
    } catch (SQLException e) {
      refuse(session, e);
    }
  }

  private static void read(Table table, Session session, Blackhole sink) throws SQLException {
    int from = session.random.nextInt(table.records - table.rows);
    session.scan.setInt(1, from - 1);
    session.scan.setInt(2, from + table.rows);
    try (ResultSet rows = session.scan.executeQuery()) {
      while (rows.next()) {
        session.rowsRead++;
        for (int i = 1; i <= 1 + FIELDS; i++) {
          sink.consume(rows.getString(i));
        }
      }
    }
    session.connection.commit();
  }

  private static void refuse(Session session, SQLException e) throws SQLException {
    if (!e.getSQLState().startsWith(CONFLICT)) {
      throw e;
    }
    session.connection.rollback();
    session.refused++;
  }
}
