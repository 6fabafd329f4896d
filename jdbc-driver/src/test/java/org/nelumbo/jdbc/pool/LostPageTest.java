package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.shm.SharedMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fuzz.FuzzSeeds;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Replaces any used page of a memory node's file by zeros, or by the content of another page, while
 * the node is down. If the page was the only copy, each statement succeeds or fails with XX001, or
 * the pool cannot be opened, also with XX001. If there are other copies, no statement fails.
 */
@Timeout(value = FuzzSeeds.DAYS_MAX, unit = TimeUnit.DAYS)
class LostPageTest {
  private static final int PAGE = 4096;
  private static final int ROWS = 600;
  private static final int MORE_SEEDS = 40;
  private static final String DAMAGED = "XX001";
  private static final long BYTES = 32 << 20;

  @TempDir private Path folder;
  private final List<NodeAddress> addresses = new ArrayList<>();
  private final List<MemoryNode> nodes = new ArrayList<>();

  /** Content of all files when the nodes were stopped. */
  private final Map<Path, byte[]> left = new LinkedHashMap<>();

  /** True if the nodes were stopped in order, so that there are checksums. */
  private boolean isStopped = true;

  private int refused;

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNode::close);
    nodes.clear();
  }

  private void start() throws IOException {
    for (int i = 0; i < addresses.size(); i++) {
      MemoryNode node =
          new MemoryNode(
              new SystemEnvironment(),
              SharedMemory.openNode(folder.resolve("node" + i), BYTES, BYTES),
              addresses.get(i),
              MemoryNode.Options.DEFAULT.withVotes(folder.resolve("votes" + i)));
      nodes.add(node);
      node.start();
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(
        addresses.stream()
            .map(NodeAddress::toString)
            .collect(Collectors.joining(",", "jdbc:nelumbo://", "/lost?create=true")));
  }

  private void fill(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      addresses.add(FreshAddress.next());
    }
    start();
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE a (id INT PRIMARY KEY, k INT UNIQUE, v VARCHAR(9000))");
      statement.execute("CREATE TABLE b (id INT PRIMARY KEY, k INT, v VARCHAR(9000))");
      statement.execute("CREATE SEQUENCE s");
      connection.setAutoCommit(false);
      for (int id = 0; id < ROWS; id++) {
        for (String table : List.of("a", "b")) {
          statement.execute(
              "INSERT INTO " + table + " VALUES (" + id + ", " + id + ", '" + value(id) + "')");
        }
      }
      connection.commit();
      statement.execute("UPDATE a SET v = v || 'w'");
      statement.execute("UPDATE b SET v = v || 'w'");
      connection.commit();
      connection.setAutoCommit(true);
      statement.execute("SHUTDOWN");
    }
    stop();
    try (var files = Files.list(folder)) {
      for (Path each : files.toList()) {
        left.put(each, Files.readAllBytes(each));
      }
    }
  }

  private static String value(int id) {
    return "v".repeat(id % 100 == 7 ? 8000 : id % 90);
  }

  private void restore() throws IOException {
    try (var files = Files.list(folder)) {
      for (Path each : files.toList()) {
        Files.delete(each);
      }
    }
    for (Map.Entry<Path, byte[]> each : left.entrySet()) {
      if (isStopped || !each.getKey().toString().endsWith(".sums")) {
        Files.write(each.getKey(), each.getValue());
      }
    }
  }

  /** Damages a used page and returns a description of the damage. */
  private String damage(SplittableRandom random) throws IOException {
    Path file = folder.resolve("node" + random.nextInt(addresses.size()));
    byte[] bytes = left.get(file);
    int[] used =
        IntStream.range(0, bytes.length / PAGE).filter(page -> !isZero(bytes, page)).toArray();
    int page = random.nextInt(8) == 0 ? 0 : used[random.nextInt(used.length)];
    int source = random.nextBoolean() ? -1 : used[random.nextInt(used.length)];
    byte[] changed = bytes.clone();
    Arrays.fill(changed, page * PAGE, (page + 1) * PAGE, (byte) 0);
    if (source >= 0) {
      System.arraycopy(bytes, source * PAGE, changed, page * PAGE, PAGE);
    }
    Files.write(file, changed);
    return file.getFileName() + " page " + page + (source < 0 ? " is zeros" : " is page " + source);
  }

  private static boolean isZero(byte[] bytes, int page) {
    return IntStream.range(page * PAGE, (page + 1) * PAGE).allMatch(at -> bytes[at] == 0);
  }

  private void run(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    restore();
    String what = damage(random);
    try {
      FuzzSeeds.runToEnd(this::openAndAsk);
    } catch (AssertionError e) {
      throw new AssertionError(what + ": " + e, e);
    } finally {
      stop();
    }
  }

  private void openAndAsk() throws Exception {
    try {
      start();
    } catch (PoolOpenException e) {
      assertFalse(isStopped, e::toString); // without checksums nothing identifies the first page
      refused++;
      return;
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String table : List.of("a", "b")) {
        ask(statement, table);
        change(statement, table);
      }
      run(statement, "SELECT NEXT VALUE FOR s IS NOT NULL", "TRUE");
      run(statement, "CREATE TABLE c (id INT PRIMARY KEY)", "0");
      run(statement, "INSERT INTO c VALUES (1)", "1");
      run(statement, "DROP TABLE a", "0");
      statement.execute("SHUTDOWN");
    } catch (SQLException e) {
      assertDamaged("connecting", e);
    }
  }

  private void ask(Statement statement, String table) throws SQLException {
    long sum = (long) ROWS * (ROWS - 1) / 2;
    run(statement, "SELECT COUNT(*) FROM " + table, "" + ROWS);
    run(statement, "SELECT SUM(k) FROM " + table, "" + sum);
    if (isStopped) {
      askForValues(statement, table);
    }
    List<String> ids = IntStream.range(0, ROWS).mapToObj(Integer::toString).toList();
    run(statement, "SELECT id FROM " + table + " ORDER BY id", String.join("", ids));
    run(statement, "SELECT id FROM " + table + " WHERE k >= 0 ORDER BY k", String.join("", ids));
    for (int id = 0; id < ROWS; id += 3) {
      run(statement, "SELECT id FROM " + table + " WHERE id = " + id, "" + id);
      run(statement, "SELECT id FROM " + table + " WHERE k = " + id, "" + id);
    }
  }

  /**
   * Reads the values of all rows. Requires checksums of pages: damage within a row is not detected
   * without them.
   */
  private void askForValues(Statement statement, String table) throws SQLException {
    long length = IntStream.range(0, ROWS).mapToLong(id -> value(id).length() + 1).sum();
    run(
        statement,
        "SELECT SUM(CHAR_LENGTH(v)), COUNT(CASE WHEN v LIKE '%w' THEN 1 END) FROM " + table,
        length + " " + ROWS);
    for (int id = 0; id < ROWS; id += 3) {
      String row = id + " " + value(id) + "w";
      run(statement, "SELECT id, v FROM " + table + " WHERE id = " + id, row);
    }
  }

  private void change(Statement statement, String table) throws SQLException {
    for (int id = 1; id < ROWS; id += 50) {
      run(statement, "UPDATE " + table + " SET v = 'x', k = -1 - k WHERE id = " + id, "1");
      run(statement, "DELETE FROM " + table + " WHERE id = " + (id + 1), "1");
      run(
          statement,
          "INSERT INTO " + table + " VALUES (" + (ROWS + id) + ", " + (ROWS + id) + ", 'y')",
          "1");
    }
  }

  private void run(Statement statement, String sql, String expected) throws SQLException {
    String found;
    try {
      found = statement.execute(sql) ? row(statement) : "" + statement.getUpdateCount();
    } catch (SQLException e) {
      assertDamaged(sql, e);
      return;
    }
    assertEquals(expected, found, sql);
  }

  private static String row(Statement statement) throws SQLException {
    StringBuilder row = new StringBuilder();
    try (ResultSet rows = statement.getResultSet()) {
      while (rows.next()) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.append(i == 1 ? "" : " ").append(rows.getString(i));
        }
      }
    }
    return row.toString();
  }

  private void assertDamaged(String sql, SQLException e) {
    refused++;
    assertEquals(1, addresses.size(), sql + " found other copies, but: " + e);
    assertEquals(DAMAGED, e.getSQLState(), sql + ": " + e);
  }

  @Test
  void shouldDetectLostPagesOfOnlyCopy() throws Exception {
    fill(1);
    runUntilNoticed("lost-pages");
  }

  @Test
  void shouldMissNoKeyWithoutChecksums() throws Exception {
    fill(1);
    isStopped = false;
    runUntilNoticed("lost-pages-without-checksums");
  }

  /** Runs seeds; on a slow machine it runs more of them until damage was detected. */
  private void runUntilNoticed(String what) throws Exception {
    FuzzSeeds.run(what, 5, this::run);
    for (long seed = 0; refused == 0 && seed < MORE_SEEDS; seed++) {
      run(seed);
    }
    assertNotEquals(0, refused, "nothing was ever noticed");
  }

  @Test
  void shouldNameNodesIfAllHaveLostPages() throws Exception {
    fill(3);
    restore();
    for (int node = 0; node < 3; node++) {
      Path file = folder.resolve("node" + node);
      byte[] bytes = left.get(file).clone();
      Arrays.fill(bytes, PAGE * 8, PAGE * 9, (byte) 1);
      Files.write(file, bytes);
    }
    start();
    SQLException e = assertThrows(SQLException.class, this::connect);
    assertEquals("08001", e.getSQLState(), e.toString());
    String last = addresses.getLast().toString();
    assertTrue(e.getMessage().contains(last + " has lost 1 damaged pages"), e.getMessage());
    assertTrue(e.getMessage().contains("recover=force"), e.getMessage());
  }

  /**
   * The node writes the checksums when its client leaves, so that a node that is killed later has
   * them, too.
   */
  @Test
  @Timeout(120)
  void shouldWriteChecksumsAfterLastClientDetaches() throws Exception {
    fill(1);
    start();
    Path checksums = folder.resolve("node0.sums");
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      assertFalse(Files.exists(checksums), "what they are of is being changed");
      statement.execute("UPDATE a SET k = k + 1000");
      statement.execute("SHUTDOWN");
    }
    while (!Files.exists(checksums) || !nodes.getFirst().status().contains("owner=nobody")) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      assertFalse(Files.exists(checksums), "what they are of is being changed");
      statement.execute("SHUTDOWN");
    }
  }

  @Test
  void shouldReadIntactCopiesInsteadOfLostPages() throws Exception {
    fill(3);
    FuzzSeeds.run("lost-pages-of-copies", 5, this::run);
    assertTrue(refused == 0, "something was noticed");
  }
}
