package org.nelumbo.jdbc.pool;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A process that works on the bank until it is killed. Each worker moves money between accounts,
 * inserts each move into a journal, and prints its number and a full stop after the commit has
 * returned. Another thread creates and drops tables. Arguments: URL, first journal number, and
 * number of workers. If several processes work on the bank, the fourth argument is a table name of
 * its own for each of them; schema changes may then have to wait for those of other processes.
 */
final class BankProcess {
  static final int ACCOUNTS = 500;
  static final long BALANCE = 1_000;
  static final long NUMBERS_PER_WORKER = 1L << 32;

  private BankProcess() {}

  public static void main(String[] arguments) throws Exception {
    String url = arguments[0];
    long first = Long.parseLong(arguments[1]);
    int workers = Integer.parseInt(arguments[2]);
    PrintStream acknowledged = new PrintStream(System.out, true);
    List<Thread> threads = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      long number = first + worker * NUMBERS_PER_WORKER;
      threads.add(new Thread(() -> work(url, number, acknowledged)));
    }
    String table = arguments.length > 3 ? arguments[3] : "scratch";
    threads.add(new Thread(() -> changeSchema(url, table, arguments.length > 3)));
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Creates the tables and the accounts. */
  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE account (id BIGINT PRIMARY KEY, balance BIGINT NOT NULL,"
              + " region VARCHAR(20) NOT NULL)");
      statement.execute("CREATE INDEX account_region ON account (region)");
      statement.execute(
          "CREATE TABLE journal (id BIGINT PRIMARY KEY, source BIGINT, target BIGINT,"
              + " amount BIGINT, note VARCHAR(200))");
      statement.execute("CREATE INDEX journal_source ON journal (source)");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO account VALUES (?, ?, ?)")) {
      for (long id = 0; id < ACCOUNTS; id++) {
        insert.setLong(1, id);
        insert.setLong(2, BALANCE);
        insert.setString(3, "region " + id % 7);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static void work(String url, long first, PrintStream acknowledged) {
    Random random = new Random(first);
    try (Connection connection = DriverManager.getConnection(url)) {
      connection.setAutoCommit(false);
      try (PreparedStatement move =
              connection.prepareStatement(
                  "UPDATE account SET balance = balance + ?, region = ? WHERE id = ?");
          PreparedStatement enter =
              connection.prepareStatement("INSERT INTO journal VALUES (?, ?, ?, ?, ?)");
          PreparedStatement forget =
              connection.prepareStatement("DELETE FROM journal WHERE id = ?")) {
        for (long number = first; ; ) {
          try {
            move(move, enter, forget, number, first, random);
            connection.commit();
            acknowledged.println(number + ".");
            number++; // leaves no gap, so that the row that the next commit deletes is known
          } catch (SQLException e) {
            connection.rollback();
            if (!"40001".equals(e.getSQLState())) {
              throw e;
            }
          }
        }
      }
    } catch (SQLException e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void move(
      PreparedStatement move,
      PreparedStatement enter,
      PreparedStatement forget,
      long number,
      long first,
      Random random)
      throws SQLException {
    long source = random.nextInt(ACCOUNTS);
    long target = (source + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
    long amount = random.nextInt(50);
    change(move, source, -amount, random);
    change(move, target, amount, random);
    enter.setLong(1, number);
    enter.setLong(2, source);
    enter.setLong(3, target);
    enter.setLong(4, amount);
    enter.setString(5, "x".repeat(random.nextInt(200)));
    enter.executeUpdate();
    if (number - first >= 100) {
      forget.setLong(1, number - 100);
      forget.executeUpdate();
    }
  }

  private static void change(PreparedStatement move, long id, long amount, Random random)
      throws SQLException {
    move.setLong(1, amount);
    move.setString(2, "region " + random.nextInt(7));
    move.setLong(3, id);
    move.executeUpdate();
  }

  private static void changeSchema(String url, String table, boolean isShared) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (int i = 0; ; i++) {
        try {
          changeSchema(statement, table, i);
        } catch (SQLException e) {
          if (!isShared || !List.of("40001", "55P03").contains(e.getSQLState())) {
            throw e;
          }
        }
      }
    } catch (SQLException e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void changeSchema(Statement statement, String table, int turn)
      throws SQLException {
    statement.execute("DROP TABLE IF EXISTS " + table);
    statement.execute("CREATE TABLE " + table + " (id INT PRIMARY KEY, v VARCHAR(100))");
    for (int row = 0; row < 40; row++) {
      statement.execute("INSERT INTO " + table + " VALUES (" + row + ", 'v" + turn + "')");
    }
    statement.execute("CREATE INDEX " + table + "_v ON " + table + " (v)");
  }
}
