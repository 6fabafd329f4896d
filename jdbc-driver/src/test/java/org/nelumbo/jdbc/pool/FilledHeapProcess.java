package org.nelumbo.jdbc.pool;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.nelumbo.database.Database;
import org.nelumbo.database.open.LocalDatabase;

/**
 * An application that repeatedly fills its heap while its sessions commit. After each fill every
 * session commits once more, on a new connection if necessary. At the end most of the heap is free.
 * Main: URL. The process never ends if a session waits forever.
 */
final class FilledHeapProcess {
  /** Exit status of a successful run. */
  static final int GOOD = 0;

  /** Exit status of a failed run. The failure is on standard output. */
  static final int BAD = 1;

  /**
   * Exit status if the heap was full during the initialisation of a class. A JVM does not repeat a
   * failed initialisation, so the process must be restarted.
   */
  static final int BROKEN = 2;

  private static final int HEAP_MEGABYTES = 64;
  private static final int SESSIONS = 4;
  private static final int ROUNDS = 3;
  private static final int ERRORS_A_ROUND = 1;
  private static final int LOOKS = 20;
  private static final long POLL_NANOS = 1_000_000;
  private static final int BLOCK_BYTES = 100_000;
  private static final int SHRINKING = 64;

  private final String url;
  private final AtomicInteger round = new AtomicInteger();

  /** Last round in which each session has committed. */
  private final List<AtomicInteger> reached = new ArrayList<>();

  private final AtomicLong committed = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicReference<String> wrong = new AtomicReference<>();

  private FilledHeapProcess(String url) {
    this.url = url;
  }

  public static void main(String[] arguments) throws Exception {
    FilledHeapProcess process = new FilledHeapProcess(arguments[0]);
    try (Connection keeper = DriverManager.getConnection(arguments[0])) {
      try (Statement statement = keeper.createStatement()) {
        statement.execute("CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, v BIGINT NOT NULL)");
        for (int i = 0; i < SESSIONS; i++) {
          statement.execute(
              "MERGE INTO t USING (VALUES ("
                  + i
                  + ")) s (id) ON t.id = s.id WHEN NOT MATCHED THEN INSERT VALUES (s.id, 0)");
        }
      }
      ((LocalDatabase) keeper.unwrap(Database.class))
          .engine()
          .stop(new OutOfMemoryError("initialises the classes of a recovery"));
    }
    process.initialiseClasses();
    process.run();
    Runtime.getRuntime().halt(process.check() ? GOOD : BAD);
  }

  private void initialiseClasses() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement update =
            connection.prepareStatement("UPDATE t SET v = v + ? WHERE id = 0")) {
      connection.setAutoCommit(false);
      update.setInt(1, 0);
      update.executeUpdate();
      connection.commit();
      update.executeUpdate();
      connection.rollback();
      sum(connection);
    }
  }

  private static long sum(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT SUM(v) FROM t")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private void run() {
    for (int i = 0; i < SESSIONS; i++) {
      int number = i;
      reached.add(new AtomicInteger());
      Thread.ofPlatform().daemon().start(() -> work(number));
    }
    for (int i = 1; i <= ROUNDS; i++) {
      fillHeap(i);
      round.set(i);
      while (reached.stream().anyMatch(each -> each.get() < round.get())) {
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  /** Runs until the process ends. */
  private void work(int number) {
    while (true) {
      try (Connection connection = DriverManager.getConnection(url)) {
        connection.setAutoCommit(false);
        work(number, connection);
      } catch (SQLException e) {
        note(e);
      } catch (LinkageError e) {
        Runtime.getRuntime().halt(BROKEN);
      } catch (OutOfMemoryError | IllegalArgumentException e) {
        Thread.yield(); // try-with-resources throws the latter if the same error is thrown twice
      }
    }
  }

  private void work(int number, Connection connection) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE t SET v = v + 1 WHERE id = ?")) {
      while (true) {
        int begun = round.get();
        boolean isCommitting = false;
        try {
          update.setInt(1, number);
          update.executeUpdate();
          isCommitting = true;
          connection.commit();
          committed.incrementAndGet();
          reached.get(number).set(begun);
        } catch (SQLException | OutOfMemoryError e) {
          if (isCommitting) {
            unknown.incrementAndGet();
          }
          if (!(e instanceof SQLException failure) || failure.getSQLState().startsWith("08")) {
            throw e;
          }
          note(failure);
          connection.rollback();
        }
      }
    }
  }

  private void note(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof LinkageError) {
        Runtime.getRuntime().halt(BROKEN);
      }
    }
    if (e.getSQLState().startsWith("XX") && wrong.compareAndSet(null, e.toString())) {
      e.printStackTrace();
    }
  }

  /**
   * Fills the heap completely with blocks of decreasing size. Every second round releases a block
   * between two fills.
   */
  private static void fillHeap(int round) {
    List<byte[]> blocks = new ArrayList<>(HEAP_MEGABYTES << 10);
    int size = BLOCK_BYTES;
    for (int errors = 0; errors < ERRORS_A_ROUND; ) {
      try {
        blocks.add(new byte[size]);
      } catch (OutOfMemoryError e) {
        size /= SHRINKING;
        if (size == 0) {
          errors++;
          size = BLOCK_BYTES;
          for (int i = 0; i < round % 2; i++) {
            blocks.removeLast();
          }
          Thread.yield();
        }
      }
    }
  }

  private boolean check() throws SQLException {
    boolean isFree = false;
    for (int i = 0; i < LOOKS && !isFree; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      isFree = runtime.totalMemory() - runtime.freeMemory() < runtime.maxMemory() / 2;
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      long before = committed.get();
      long sum = sum(connection);
      long most = committed.get() + unknown.get() + SESSIONS;
      if (sum < before || sum > most) {
        wrong.set("sum=" + sum + " committed=" + before + " at most " + most);
      }
    }
    if (!isFree) {
      wrong.set("half of the heap stays in use");
    }
    System.out.println(wrong);
    return wrong.get() == null;
  }

  /** Runs the process to its end and returns its exit status. */
  static int run(String url) throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xmx" + HEAP_MEGABYTES + "m",
                    "-cp",
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                    FilledHeapProcess.class.getName(),
                    url))
            .inheritIO()
            .start();
    try {
      return process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }
}
