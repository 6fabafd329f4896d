package org.nelumbo.jdbc.pool;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Kills processes that work on a bank in a pool, with signal 9, and checks the pool afterwards:
 * every acknowledged commit is present, the sum of all balances is unchanged, and indexes agree
 * with rows. Main: URL (of a new pool), rounds, seed.
 */
final class CrashRounds {
  private static final int WORKERS = 3;

  private final String url;
  private final Random random;
  private final Crash crash;
  private long acknowledged;
  private long found;
  private long firstNumber;

  /** A further fault after a process was killed. */
  interface Crash {
    void run() throws IOException, InterruptedException;
  }

  CrashRounds(String url, long seed) {
    this(url, seed, () -> {});
  }

  CrashRounds(String url, long seed, Crash crash) {
    this.crash = crash;
    this.url = url;
    this.random = new Random(seed);
  }

  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[1]);
    long seed = arguments.length > 2 ? Long.parseLong(arguments[2]) : System.nanoTime();
    System.out.println("seed=" + seed);
    CrashRounds crashes = new CrashRounds(arguments[0], seed);
    crashes.create();
    for (int round = 1; round <= rounds; round++) {
      crashes.round();
      System.out.println(
          "RESULT round="
              + round
              + " acknowledged="
              + crashes.acknowledged
              + " found="
              + crashes.found);
    }
  }

  void create() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      BankProcess.create(connection);
      shutDown(connection);
    }
  }

  /** Kills one process at a random moment and checks the pool. */
  void round() throws IOException, InterruptedException, SQLException {
    round(300 + random.nextInt(2_000));
  }

  /** Kills one process after it has printed the given number of lines, and checks the pool. */
  void round(int lines) throws IOException, InterruptedException, SQLException {
    firstNumber += 1L << 24;
    Process process = start();
    Map<Long, Set<Long>> byWorker = new HashMap<>();
    try (BufferedReader reader = process.inputReader(StandardCharsets.US_ASCII)) {
      String line;
      for (int i = 0; (line = reader.readLine()) != null; i++) {
        if (line.endsWith(".")) {
          note(byWorker, Long.parseLong(line.substring(0, line.length() - 1)));
        }
        if (i == lines) {
          process.toHandle().destroyForcibly();
        }
      }
    }
    if (process.waitFor() == 1) {
      throw new AssertionError("the process failed by itself");
    }
    crash.run();
    byWorker.values().forEach(each -> acknowledged += each.size());
    try (Connection connection = DriverManager.getConnection(url)) {
      check(connection, byWorker);
      shutDown(connection);
    }
  }

  private static void note(Map<Long, Set<Long>> byWorker, long number) {
    byWorker
        .computeIfAbsent(number / BankProcess.NUMBERS_PER_WORKER, w -> new TreeSet<>())
        .add(number);
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            BankProcess.class.getName(),
            url,
            Long.toString(firstNumber),
            Integer.toString(WORKERS))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private void check(Connection connection, Map<Long, Set<Long>> byWorker) throws SQLException {
    require(
        sum(connection, "SELECT SUM(balance) FROM account")
            == BankProcess.ACCOUNTS * BankProcess.BALANCE,
        "money was created or lost");
    require(
        sum(connection, "SELECT COUNT(*) FROM account") == BankProcess.ACCOUNTS, "accounts lost");
    long inRegions = 0;
    for (int region = 0; region < 7; region++) {
      inRegions +=
          sum(connection, "SELECT COUNT(*) FROM account WHERE region = 'region " + region + "'");
    }
    require(inRegions == BankProcess.ACCOUNTS, "the index on regions has " + inRegions);
    Set<Long> journal = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM journal")) {
      while (rows.next()) {
        journal.add(rows.getLong(1));
      }
    }
    byWorker.forEach((worker, numbers) -> checkJournal(numbers, journal));
    try (Statement statement = connection.createStatement()) {
      require(
          sum(connection, "SELECT COUNT(*) FROM journal WHERE source >= 0") == journal.size(),
          "journal index");
      statement.execute("DELETE FROM journal");
    }
  }

  /**
   * Checks that the last hundred numbers of each worker are in the journal. Later commits deleted
   * the earlier ones.
   */
  private void checkJournal(Set<Long> numbers, Set<Long> journal) {
    long last = ((TreeSet<Long>) numbers).last();
    for (long number : numbers) {
      if (number > last - 99) {
        require(journal.contains(number), "commit " + number + " was acknowledged, and is lost");
      }
      found++;
    }
  }

  private static long sum(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  /** Closes the database, so that other processes can open the pool. */
  static void shutDown(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    }
  }
}
