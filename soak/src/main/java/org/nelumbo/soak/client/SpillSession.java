package org.nelumbo.soak.client;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * A session that sorts and groups more rows than its statements may keep in memory, and checks each
 * row of the result. A statement without space for its temporary files fails with 53100, and the
 * connection stays usable. For one thread.
 */
final class SpillSession implements Runnable {
  private static final long RETRY_NANOS = 50_000_000L;
  private static final String OPTIONS = "?maxStatementMemory=350k";
  private static final String DISK_FULL = "53100";
  private static final int REPORT_EACH = 5;
  private static final String WORD = "x".repeat(150);

  private final String url;
  private final IntSupplier currentRound;
  private final Reports reports;
  private long spilled;
  private long full;

  SpillSession(String url, IntSupplier currentRound, Reports reports) {
    this.url = url;
    this.currentRound = currentRound;
    this.reports = reports;
  }

  /** Creates the table, whose rows do not change. */
  static void create(Statement statement) throws SQLException {
    statement.execute("CREATE TABLE bulk (id INTEGER PRIMARY KEY, word VARCHAR(200) NOT NULL)");
    statement.execute("INSERT INTO bulk VALUES (0, '" + WORD + "0')");
    for (int rows = 1; rows < RoundKeys.BULK_ROWS; rows *= 2) {
      String id = "id + " + rows;
      statement.execute(
          "INSERT INTO bulk SELECT " + id + ", '" + WORD + "' || (" + id + ") FROM bulk");
    }
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      if (currentRound.getAsInt() > 0) {
        try (Connection connection = DriverManager.getConnection(url + OPTIONS);
            Statement statement = connection.createStatement()) {
          work(statement);
        } catch (SQLException | RuntimeException | Error e) {
          reports.judge(e);
        }
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  private void work(Statement statement) throws SQLException {
    while (true) {
      try {
        sort(statement);
        group(statement);
        spilled++;
      } catch (SQLException e) {
        if (!DISK_FULL.equals(e.getSQLState())) {
          throw e;
        }
        full++;
      }
      if ((spilled + full) % REPORT_EACH == 0) {
        reports.say(Reports.SPILLED, spilled + " " + full);
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  private void sort(Statement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT id, word FROM bulk ORDER BY -id")) {
      int wanted = RoundKeys.BULK_ROWS;
      while (rows.next()) {
        wanted--;
        require(rows.getInt(1) == wanted, "a sort gave id " + rows.getInt(1) + ", not " + wanted);
      }
      require(wanted == 0, "a sort lost " + wanted + " rows");
    }
  }

  private void group(Statement statement) throws SQLException {
    try (ResultSet rows =
        statement.executeQuery("SELECT word, COUNT(*), MIN(id) FROM bulk GROUP BY word")) {
      int groups = 0;
      for (; rows.next(); groups++) {
        String wanted = WORD + rows.getInt(3);
        require(
            rows.getInt(2) == 1 && rows.getString(1).equals(wanted),
            "a group of " + rows.getInt(2) + " rows with id " + rows.getInt(3));
      }
      require(groups == RoundKeys.BULK_ROWS, "there are " + groups + " groups");
    }
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      reports.say(Reports.WRONG, otherwise);
    }
  }
}
