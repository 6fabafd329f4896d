package org.nelumbo.soak.client;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * A session with transactions that last until the round number has advanced by two: the number
 * advances at the beginning and at the check of each round, so the checks of a round run
 * concurrently with a transaction that holds locks. Each transaction inserts a row, then reads the
 * bank at its snapshot again and again, by short statements or by one long statement. For one
 * thread.
 */
final class LongSession implements Runnable {
  private static final long RETRY_NANOS = 50_000_000L;
  private static final String LONG_STATEMENT =
      "SELECT COUNT(*) FROM bulk a, bulk b WHERE a.id < 50 AND a.id + b.id < 0";

  private final String url;
  private final int client;
  private final IntSupplier currentRound;
  private final Reports reports;
  private long number;

  LongSession(String url, int client, IntSupplier currentRound, Reports reports) {
    this.url = url;
    this.client = client;
    this.currentRound = currentRound;
    this.reports = reports;
  }

  /** Creates the table for the inserted rows. */
  static void create(Statement statement) throws SQLException {
    statement.execute("CREATE TABLE held (id VARCHAR(60) PRIMARY KEY)");
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      if (currentRound.getAsInt() > 0) {
        try (Connection connection = DriverManager.getConnection(url);
            Statement statement = connection.createStatement()) {
          connection.setAutoCommit(false);
          connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          while (true) {
            hold(statement);
            connection.commit();
          }
        } catch (SQLException | RuntimeException | Error e) {
          reports.judge(e);
        }
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  private void hold(Statement statement) throws SQLException {
    int round = currentRound.getAsInt();
    number++;
    String id = client + "-" + ProcessHandle.current().pid() + "-" + number;
    statement.executeUpdate("INSERT INTO held VALUES ('" + id + "')");
    while (currentRound.getAsInt() <= round + 1) {
      try (ResultSet rows = statement.executeQuery("SELECT SUM(balance) FROM account")) {
        rows.next();
        long money = rows.getLong(1);
        if (money != RoundKeys.ACCOUNTS * RoundKeys.BALANCE) {
          reports.say(Reports.WRONG, "a long transaction saw money=" + money);
        }
      }
      if (number % 2 != 0) {
        statement.executeQuery(LONG_STATEMENT).close();
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }
}
