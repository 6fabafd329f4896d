package org.nelumbo.jdbc.pool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.nelumbo.database.Database;

/**
 * Measures the time to attach to a pool of a given size, after a clean shutdown and after the owner
 * was killed. Each attempt runs in a new process and lasts from its first call of the driver to its
 * first row. Arguments:
 *
 * <ol>
 *   <li>{@code shm:PATH}, or {@code tcp:N} for N memory nodes that are started here and each hold a
 *       copy (at most three),
 *   <li>size of the rows in MB,
 *   <li>further options for the JVM that attaches.
 * </ol>
 */
final class AttachTime implements AutoCloseable {
  private static final int BATCH = 1_000;
  private static final int COMMIT_BATCHES = 10;

  /** Size of a row of the table in the pool, indexes included. */
  private static final long ROW_BYTES = 270;

  private static final int NOTE_LENGTH = 120;

  private final List<MemoryNodeProcess> nodes = new ArrayList<>();
  private final String url;
  private final List<String> options;

  private AttachTime(String place, long megabytes, List<String> options) throws IOException {
    this.options = options;
    long bytes = (megabytes * 5 / 4 << 20) + (64 << 20);
    if (place.startsWith("shm:")) {
      Files.deleteIfExists(Path.of(place.substring("shm:".length())));
      url = "jdbc:nelumbo:" + place + "?memory=" + bytes;
      return;
    }
    int count = Integer.parseInt(place.substring("tcp:".length()));
    for (int node = 0; node < count; node++) {
      nodes.add(new MemoryNodeProcess(bytes));
    }
    url =
        nodes.stream()
            .map(node -> node.address().toString())
            .collect(Collectors.joining(",", "jdbc:nelumbo://", "/attach?create=true"));
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("load")) {
      load(arguments[1], Long.parseLong(arguments[2]));
    } else if (arguments[0].equals("attach")) {
      attach(arguments[1], arguments[2].equals("close"));
    } else {
      List<String> all = List.of(arguments);
      try (AttachTime time =
          new AttachTime(all.get(0), Long.parseLong(all.get(1)), all.subList(2, all.size()))) {
        time.run(Long.parseLong(all.get(1)));
      }
    }
  }

  private void run(long megabytes) throws Exception {
    start(List.of(), "load", url, Long.toString((megabytes << 20) / ROW_BYTES));
    for (int round = 0; round < 2; round++) {
      System.out.print("after it was closed: ");
      start(options, "attach", url, "halt");
      System.out.print("after its owner died: ");
      start(options, "attach", url, "close");
    }
  }

  private static void start(List<String> options, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-XX:+UseParallelGC");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(AttachTime.class.getName());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    System.out.print(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    process.waitFor();
  }

  private static void load(String url, long rows) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("CREATE TABLE item (id BIGINT PRIMARY KEY, owner INT, note VARCHAR(200))");
      statement.execute("CREATE INDEX item_owner ON item (owner)");
      String note = "n".repeat(NOTE_LENGTH);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO item VALUES (?, ?, ?)")) {
        for (long row = 0; row < rows; row++) {
          insert.setLong(1, row);
          insert.setInt(2, (int) (row * 7919 % (rows / 10 + 1)));
          insert.setString(3, note);
          insert.addBatch();
          if ((row + 1) % BATCH == 0 || row + 1 == rows) {
            insert.executeBatch();
          }
          if ((row + 1) % ((long) BATCH * COMMIT_BATCHES) == 0) {
            connection.commit();
          }
        }
      }
      connection.commit();
      statement.execute("SHUTDOWN");
    }
  }

  private static void attach(String url, boolean close) throws SQLException {
    long start = System.nanoTime();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery("SELECT note FROM item WHERE id = 77")) {
        row.next();
      }
      long nanos = System.nanoTime() - start;
      long frames = connection.unwrap(Database.class).statistics().traffic().frames();
      long cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
      try (ResultSet row =
          statement.executeQuery("SELECT bytes FROM SYS.MEMORY WHERE kind = 'POOL LIVE'")) {
        row.next();
        System.out.printf(
            "%.2f s, %,d ms of CPU, %,d frames, %,d bytes in use%n",
            nanos / 1e9, cpu, frames, row.getLong(1));
      }
      if (close) {
        statement.execute("SHUTDOWN");
      } else {
        System.out.flush();
        statement.execute("UPDATE item SET note = 'x' WHERE id = 78");
        Runtime.getRuntime().halt(0);
      }
    }
  }

  @Override
  public void close() {
    nodes.forEach(MemoryNodeProcess::destroy);
  }
}
