package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.jdbc.AppendHistory.Committed;

/**
 * Runs random transactions in four threads, then checks that the reads of all threads fit together.
 */
class HistoryTest {
  private static final int THREADS = 4;
  private static final int TRANSACTIONS = 500;
  private static final int ACCOUNTS = 6;

  private interface Work<T> {
    T run(Connection connection, int thread, Random random) throws SQLException;
  }

  private final String url = "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=128m";
  private final long seed = System.nanoTime();

  private void execute(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private <T> List<T> together(String properties, Work<T> work) throws Exception {
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<T>> runs = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        runs.add(
            threads.submit(
                () -> {
                  try (Connection connection = DriverManager.getConnection(url + properties)) {
                    connection.setAutoCommit(false);
                    return work.run(connection, thread, new Random(seed + thread));
                  }
                }));
      }
      for (Future<T> each : runs) {
        results.add(each.get());
      }
    } catch (ExecutionException e) {
      throw new AssertionError("seed " + seed, e.getCause());
    }
    return results;
  }

  // A bank.

  @ParameterizedTest
  @ValueSource(
      strings = {
        "&isolation=serializable",
        "&isolation=serializable&conflict=no-wait",
        "&isolation=snapshot"
      })
  void shouldNeitherMakeNorLoseMoney(String properties) throws Exception {
    execute("CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL)");
    for (int id = 0; id < ACCOUNTS; id++) {
      execute("INSERT INTO account VALUES (" + id + ", 100)");
    }
    List<int[]> deposits = together(properties, HistoryTest::transfers);
    int deposited = deposits.stream().mapToInt(each -> each[0]).sum();
    try (Connection connection = DriverManager.getConnection(url)) {
      assertEquals(
          ACCOUNTS * 100 + deposited, number(connection, "SELECT SUM(balance) FROM account"));
      assertEquals(deposited, number(connection, "SELECT balance FROM account WHERE id = 0") - 100);
    }
    execute("SHUTDOWN");
  }

  /**
   * Runs a random mix of three kinds of transactions: transfers between the accounts from 1 on,
   * whose sum never changes; deposits to account 0, none of which may be lost; and reads of that
   * sum.
   */
  private static int[] transfers(Connection connection, int thread, Random random)
      throws SQLException {
    int deposits = 0;
    for (int done = 0; done < TRANSACTIONS; ) {
      try {
        int kind = random.nextInt(10);
        if (kind < 2) {
          assertEquals(
              (ACCOUNTS - 1) * 100,
              number(connection, "SELECT SUM(balance) FROM account WHERE id > 0"));
        } else if (kind < 4) {
          int balance = number(connection, "SELECT balance FROM account WHERE id = 0");
          set(connection, 0, balance + 1);
        } else {
          int from = 1 + random.nextInt(ACCOUNTS - 1);
          int to = 1 + (from + random.nextInt(ACCOUNTS - 2)) % (ACCOUNTS - 1);
          String read = "SELECT balance FROM account WHERE id = ";
          int amount = random.nextInt(10);
          int balance = number(connection, read + from);
          int other = number(connection, read + to);
          set(connection, from, balance - amount);
          set(connection, to, other + amount);
        }
        connection.commit();
        deposits += kind == 2 || kind == 3 ? 1 : 0;
        done++;
      } catch (SQLException e) {
        assertEquals("40001", e.getSQLState(), e.getMessage());
        connection.rollback();
      }
    }
    return new int[] {deposits};
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      assertTrue(rows.next());
      return rows.getInt(1);
    }
  }

  private static void set(Connection connection, int id, int balance) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE account SET balance = ? WHERE id = ?")) {
      update.setInt(1, balance);
      update.setInt(2, id);
      assertEquals(1, update.executeUpdate());
    }
  }

  // Lists.

  @Test
  void shouldProduceSerializableHistory() throws Exception {
    AppendHistory history = appendToLists("&isolation=serializable");
    history.checkSerializable();
  }

  @Test
  void shouldReadConsistentSnapshots() throws Exception {
    AppendHistory history = appendToLists("&isolation=snapshot");
    history.checkSnapshotsConsistent();
  }

  private AppendHistory appendToLists(String properties) throws Exception {
    execute(
        "CREATE TABLE list (id INTEGER, position INTEGER, element INTEGER NOT NULL,"
            + " PRIMARY KEY (id, position))");
    List<Committed> all = new ArrayList<>();
    together(properties, HistoryTest::appends).forEach(all::addAll);
    Map<Integer, List<Integer>> lists = new TreeMap<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT id, element FROM list ORDER BY id, position")) {
      while (rows.next()) {
        lists.computeIfAbsent(rows.getInt(1), key -> new ArrayList<>()).add(rows.getInt(2));
      }
    }
    execute("SHUTDOWN");
    AppendHistory history = new AppendHistory(all, lists);
    history.checkNothingLost();
    history.checkReadsArePrefixes();
    assertTrue(history.overtakenReads() > 0);
    return history;
  }

  /**
   * Runs transactions of one to four steps. Each step reads a list and may append to it. New lists
   * regularly replace old ones.
   */
  private static List<Committed> appends(Connection connection, int thread, Random random)
      throws SQLException {
    List<Committed> committed = new ArrayList<>();
    for (int done = 0; done < TRANSACTIONS; done++) {
      int number = done * THREADS + thread;
      Map<Integer, List<Integer>> reads = new HashMap<>();
      Set<Integer> appends = new HashSet<>();
      try {
        for (int steps = 1 + random.nextInt(4); steps > 0; steps--) {
          int list = done / 20 + random.nextInt(4);
          if (appends.contains(list)) {
            continue;
          }
          List<Integer> seen = read(connection, list);
          assertEquals(reads.getOrDefault(list, seen), seen, "a read that is not repeatable");
          reads.put(list, seen);
          if (random.nextBoolean()) {
            append(connection, list, seen.size(), number);
            appends.add(list);
          }
        }
        if (random.nextInt(10) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          committed.add(new Committed(number, reads, appends));
        }
      } catch (SQLException e) {
        assertTrue(Set.of("40001", "23505").contains(e.getSQLState()), e.getMessage());
        connection.rollback();
      }
    }
    return committed;
  }

  private static List<Integer> read(Connection connection, int list) throws SQLException {
    List<Integer> result = new ArrayList<>();
    try (PreparedStatement query =
        connection.prepareStatement("SELECT element FROM list WHERE id = ? ORDER BY position")) {
      query.setInt(1, list);
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          result.add(rows.getInt(1));
        }
      }
    }
    return result;
  }

  private static void append(Connection connection, int list, int position, int element)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO list VALUES (?, ?, ?)")) {
      insert.setInt(1, list);
      insert.setInt(2, position);
      insert.setInt(3, element);
      assertEquals(1, insert.executeUpdate());
    }
  }

  // Tests of the checks themselves.

  @Test
  void shouldNoticeWriteSkew() {
    AppendHistory skewed =
        new AppendHistory(
            List.of(
                new Committed(1, Map.of(7, List.of()), Set.of(8)),
                new Committed(2, Map.of(8, List.of()), Set.of(7))),
            Map.of(7, List.of(2), 8, List.of(1)));
    skewed.checkSnapshotsConsistent();
    assertThrows(AssertionError.class, skewed::checkSerializable);
  }

  @Test
  void shouldNoticeReadSkewAndLostAppends() {
    AppendHistory skewed =
        new AppendHistory(
            List.of(
                new Committed(1, Map.of(7, List.of(), 8, List.of(2)), Set.of()),
                new Committed(2, Map.of(), Set.of(7, 8)),
                new Committed(3, Map.of(), Set.of(7))),
            Map.of(7, List.of(2), 8, List.of(2)));
    assertThrows(AssertionError.class, skewed::checkSnapshotsConsistent);
    assertThrows(AssertionError.class, skewed::checkNothingLost);
  }
}
