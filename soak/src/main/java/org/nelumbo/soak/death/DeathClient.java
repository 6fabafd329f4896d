package org.nelumbo.soak.death;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The main class of a client: a compute node whose sessions write all rows of a small table in
 * turn, one per transaction. Arguments: URL, sessions, rows, and {@code create} for the client that
 * creates the pool. It prints {@code ready} when each session has written all rows.
 *
 * <p>Commands on standard input: {@code mark} begins a measurement; {@code report} prints its
 * result in microseconds, and the number of bytes that compute nodes have allocated from the pool
 * so far. The client ends at the end of its input.
 */
public final class DeathClient {
  private final String url;
  private final int rows;
  private final RowGaps gaps;
  private int sessionsLeft;

  private DeathClient(String url, int sessions, int rows) {
    this.url = url;
    this.rows = rows;
    this.gaps = new RowGaps(rows);
    this.sessionsLeft = sessions;
  }

  /** Runs a client until its standard input ends. */
  public static void main(String[] arguments) throws IOException, SQLException {
    int sessions = Integer.parseInt(arguments[1]);
    DeathClient client = new DeathClient(arguments[0], sessions, Integer.parseInt(arguments[2]));
    if (arguments.length > 3) {
      client.create();
    }
    for (int session = 0; session < sessions; session++) {
      int first = session * client.rows / sessions; // so that each row is written often
      Thread.ofPlatform().daemon().start(() -> client.work(first));
    }
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      input.lines().forEach(client::obey);
    }
    Runtime.getRuntime().halt(0);
  }

  private void create() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(url + (url.contains("?") ? "&" : "?") + "create=true");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE counter (id INTEGER PRIMARY KEY, val BIGINT NOT NULL)");
      for (int row = 0; row < rows; row++) {
        statement.execute("INSERT INTO counter VALUES (" + row + ", 0)");
      }
    }
  }

  private void obey(String command) {
    if (command.equals("mark")) {
      gaps.mark(System.nanoTime());
    } else {
      long micros = gaps.longest(System.nanoTime()) / 1000;
      say("gap " + micros + " " + takenBytes());
    }
  }

  private long takenBytes() {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT SUM(TAKEN_BYTES) FROM SYS.MEMORY_NODES")) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      return -1;
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private void work(int first) {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement add =
            connection.prepareStatement("UPDATE counter SET val = val + 1 WHERE id = ?")) {
      long written = 0;
      for (int row = first; ; row = (row + 1) % rows) {
        add.setInt(1, row);
        while (!isWritten(add)) {
          Thread.onSpinWait();
        }
        gaps.committed(row, System.nanoTime());
        if (++written == rows) {
          noteReady();
        }
      }
    } catch (SQLException e) {
      say("failed " + e.getSQLState() + " " + e.getMessage());
    }
  }

  private synchronized void noteReady() {
    if (--sessionsLeft == 0) {
      say("ready");
    }
  }

  private static boolean isWritten(PreparedStatement add) throws SQLException {
    try {
      add.executeUpdate();
      return true;
    } catch (SQLException e) {
      if (!e.getSQLState().startsWith("40")) {
        throw e;
      }
      return false;
    }
  }
}
