package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Restores to points in time from the archives of memory nodes, which run in processes that are
 * killed.
 */
@Timeout(120)
class DurableArchiveTest {
  private static final long BYTES = 48L << 20;
  private static final String LIVE = "SELECT COUNT(*) FROM SYS.MEMORY_NODES WHERE STATE = 'LIVE'";
  private static final int WRITERS = 3;

  @TempDir private Path directory;

  private MemoryNodeProcess[] nodes = {};

  /** Points in time. {@code sums} has the sum of the values at each of them. */
  private final List<String> moments = new ArrayList<>();

  private final List<Long> sums = new ArrayList<>();

  private void start(int count) throws IOException {
    nodes = new MemoryNodeProcess[count];
    for (int node = 0; node < count; node++) {
      nodes[node] = new MemoryNodeProcess(BYTES, directory.resolve("n" + node), archive(node));
    }
  }

  private Path archive(int node) {
    return directory.resolve("archive" + node);
  }

  @AfterEach
  void stop() {
    for (MemoryNodeProcess node : nodes) {
      node.destroy();
    }
  }

  private String url() {
    StringBuilder url = new StringBuilder("jdbc:nelumbo://");
    for (MemoryNodeProcess node : nodes) {
      url.append(url.charAt(url.length() - 1) == '/' ? "" : ",").append(node.address());
    }
    return url + "/bank?create=true";
  }

  private String backups() {
    return directory.resolve("backups").toString();
  }

  /** Runs several writers concurrently and returns after each has made all its commits. */
  private void work(int round) throws Exception {
    List<Thread> threads = new ArrayList<>();
    AtomicInteger done = new AtomicInteger();
    for (int writer = 0; writer < WRITERS; writer++) {
      int id = writer;
      threads.add(Thread.ofPlatform().start(() -> write(id, round, done)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(WRITERS, done.get());
  }

  private void write(int writer, int round, AtomicInteger done) {
    try (Connection connection = DriverManager.getConnection(url())) {
      for (int i = 0; i < 40; i++) {
        run(
            connection,
            "INSERT INTO t VALUES ("
                + (writer * 100_000 + round * 1_000 + i)
                + ", 1, REPEAT('x', 500))",
            "UPDATE t SET v = v + 1 WHERE id = " + writer * 100_000);
      }
      done.incrementAndGet();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Records the current time and state, to be restored later. Commit timestamps follow the time of
   * day within a few milliseconds. The pause afterwards makes all later commits have later
   * timestamps.
   */
  private void note(Connection connection) throws SQLException {
    sums.add(number(connection, "SELECT SUM(v) FROM t"));
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT TO_CHAR(CURRENT_TIMESTAMP, 'YYYY-MM-DD HH24:MI:SS.US') FROM tick")) {
      rows.next();
      moments.add(rows.getString(1) + "Z");
    }
    LockSupport.parkNanos(100_000_000);
  }

  private void create(Connection connection) throws Exception {
    run(
        connection,
        "CREATE TABLE t (id INT PRIMARY KEY, v INT, x VARCHAR(600))",
        "CREATE TABLE tick (n INT)",
        "INSERT INTO tick VALUES (0)");
    work(0);
    run(connection, "BACKUP TO '" + backups() + "'");
  }

  /**
   * Restores each point in time. The table of the round before it is present, and the table of its
   * own round is not.
   */
  private void check(String log) throws SQLException {
    for (int i = 0; i < moments.size(); i++) {
      try (Connection connection = DriverManager.getConnection("jdbc:nelumbo:mem:?memory=48m")) {
        run(
            connection,
            "RESTORE FROM '" + backups() + "' LOG " + log + " UNTIL '" + moments.get(i) + "'");
        assertEquals(sums.get(i), number(connection, "SELECT SUM(v) FROM t"), moments.get(i));
        assertEquals(i, number(connection, "SELECT COUNT(*) FROM made" + i));
        String next = "SELECT COUNT(*) FROM made" + (i + 1);
        assertThrows(SQLException.class, () -> number(connection, next));
        run(connection, "CHECK DATABASE");
      }
    }
  }

  private static void make(Connection connection, int round) throws SQLException {
    run(connection, "CREATE TABLE made" + round + " (a INT PRIMARY KEY)");
    for (int i = 0; i < round; i++) {
      run(connection, "INSERT INTO made" + round + " VALUES (" + i + ")");
    }
    if (round > 0) {
      run(connection, "DROP TABLE made" + (round - 1));
    }
  }

  @Test
  void shouldRestoreAnyMomentOfAPoolOnOneNode() throws Exception {
    start(1);
    for (int round = 0; round < 2; round++) {
      try (Connection connection = DriverManager.getConnection(url())) {
        if (round == 0) {
          create(connection);
        }
        work(round + 1);
        make(connection, round);
        note(connection);
      }
      nodes[0].kill();
      nodes[0].start();
    }
    check("'" + directory.resolve("n0") + "', '" + archive(0) + "'");
  }

  @Test
  void shouldRestoreAnyMomentOfAPoolWithCopies() throws Exception {
    start(3);
    try (Connection connection = DriverManager.getConnection(url())) {
      create(connection);
      for (int round = 0; round < 2; round++) {
        nodes[round].kill();
        work(round + 1);
        make(connection, round);
        note(connection);
        nodes[round].start();
        while (number(connection, LIVE) < 3) {
          LockSupport.parkNanos(1_000_000);
        }
      }
      nodes[0].kill(); // the log of this node lacks the last point in time
      work(3);
      make(connection, 2);
      note(connection);
    }
    StringBuilder log = new StringBuilder();
    for (int node = 0; node < 3; node++) {
      log.append(node == 0 ? "'" : ", '").append(archive(node)).append("', '");
      log.append(directory.resolve("n" + node)).append("'");
    }
    check(log.toString());
    try (Stream<Path> archived = Files.list(archive(2))) {
      assertTrue(archived.filter(file -> file.toString().contains("redo-")).count() > 3);
    }
  }
}
