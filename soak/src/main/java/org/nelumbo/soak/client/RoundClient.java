package org.nelumbo.soak.client;

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
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/**
 * The main class of a client. Arguments: URL, number of the client, number of its first session,
 * number of sessions, seed. Commands on standard input, one per line:
 *
 * <ul>
 *   <li>{@code create}: creates the pool and the tables if they do not exist;
 *   <li>{@code round N}: sessions continue with the keys of this round;
 *   <li>{@code check N}: checks the bank and the journal of a round;
 *   <li>{@code latch MILLIS}: stops the process when a thread holds a latch of an index, within
 *       that time;
 *   <li>{@code fill MILLIS}: fills the heap completely, again and again, for that time.
 * </ul>
 *
 * <p>The client ends at the end of its input.
 */
public final class RoundClient {
  private static final int BLOCK_BYTES = 1 << 20;

  private final String url;
  private final Reports reports = new Reports(System.out);
  private volatile int round;

  private RoundClient(String url) {
    this.url = url;
  }

  /** Runs a client until its standard input ends. */
  public static void main(String[] arguments) throws IOException {
    RoundClient client = new RoundClient(arguments[0]);
    int number = Integer.parseInt(arguments[1]);
    int firstSession = Integer.parseInt(arguments[2]);
    int sessions = Integer.parseInt(arguments[3]);
    long seed = Long.parseLong(arguments[4]);
    for (int i = 0; i < sessions; i++) {
      client.start(
          new WorkSession(client.url, firstSession + i, seed, () -> client.round, client.reports));
    }
    client.start(new SchemaSession(client.url, number, seed, () -> client.round, client.reports));
    client.start(new LongSession(client.url, number, () -> client.round, client.reports));
    client.start(new SpillSession(client.url, () -> client.round, client.reports));
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      input.lines().forEach(client::obey);
    }
    Runtime.getRuntime().halt(0);
  }

  /** Restarts it after an OutOfMemoryError that the session itself does not handle. */
  private void start(Runnable session) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              while (true) {
                try {
                  session.run();
                } catch (OutOfMemoryError e) {
                  Thread.yield();
                }
              }
            });
  }

  private void obey(String command) {
    String[] words = command.split(" ", 2);
    switch (words[0]) {
      case "create" -> background(this::create);
      case "round" -> round = Integer.parseInt(words[1]);
      case "check" -> background(() -> check(Integer.parseInt(words[1])));
      case "latch" -> background(() -> new LatchStop().run(Long.parseLong(words[1])));
      case "fill" -> background(() -> fillHeap(Long.parseLong(words[1])));
      default -> throw new IllegalArgumentException(command);
    }
  }

  private static void background(Runnable work) {
    Thread.ofPlatform().daemon().start(work);
  }

  private void create() {
    String creating = url + (url.contains("?") ? "&" : "?") + "create=true";
    try (Connection connection = DriverManager.getConnection(creating);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS account (id INTEGER PRIMARY KEY, balance BIGINT NOT NULL)");
      statement.execute(
          "CREATE TABLE IF NOT EXISTS journal (id BIGINT PRIMARY KEY, source INTEGER NOT NULL,"
              + " amount BIGINT NOT NULL) WITH (hash = false)");
      statement.execute("CREATE INDEX IF NOT EXISTS journal_source ON journal (source)");
      statement.execute(
          "CREATE TABLE IF NOT EXISTS list (id INTEGER PRIMARY KEY, elements VARCHAR(4000))");
      statement.execute(
          "CREATE TABLE IF NOT EXISTS register (id INTEGER PRIMARY KEY, val BIGINT NOT NULL)");
      LongSession.create(statement);
      SpillSession.create(statement);
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO account VALUES (?, ?)")) {
        for (int account = 0; account < RoundKeys.ACCOUNTS; account++) {
          insert.setInt(1, account);
          insert.setLong(2, RoundKeys.BALANCE);
          insert.executeUpdate();
        }
      }
      connection.commit();
      reports.say(Reports.CREATED, "");
    } catch (SQLException e) {
      reports.say(Reports.WRONG, "no tables: " + e);
    }
  }

  /** Both access paths to the journal must agree. */
  private void check(int which) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      long first = RoundKeys.firstJournal(which);
      String range = " WHERE id >= " + first + " AND id < " + RoundKeys.firstJournal(which + 1);
      StringJoiner entries = new StringJoiner(",");
      long count = 0;
      try (ResultSet rows = statement.executeQuery("SELECT id FROM journal" + range)) {
        for (; rows.next(); count++) {
          entries.add(Long.toString(rows.getLong(1)));
        }
      }
      long bySource =
          number(statement, "SELECT COUNT(*) FROM journal" + range + " AND source >= 0");
      long money = number(statement, "SELECT SUM(balance) FROM account");
      connection.commit();
      if (count != bySource) {
        reports.say(Reports.WRONG, "journal has " + count + " rows, its index " + bySource);
      }
      reports.say(Reports.LOOK, which + " " + money + " " + entries);
    } catch (SQLException e) {
      reports.say(Reports.FAILED, which + " " + e.getMessage());
    } catch (RuntimeException | Error e) {
      reports.judge(e);
      reports.say(Reports.FAILED, which + " " + e);
    }
  }

  private static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private void fillHeap(long millis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long filled = 0;
    while (System.nanoTime() < until) {
      List<byte[]> blocks = new ArrayList<>();
      try {
        while (System.nanoTime() < until) {
          blocks.add(new byte[BLOCK_BYTES]);
        }
      } catch (OutOfMemoryError e) {
        filled += blocks.size();
      }
    }
    System.err.println("the heap was filled, with " + filled + " MB in all");
  }
}
