package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.run;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.planner.Session;

/**
 * Round trips of statements on a pool that is reached over a network: they do not grow with rows.
 */
@Timeout(120)
class RoundTripTest {
  private static final int ROWS = 600;

  /** Index, then CVTs with their records; a chunk of a batch has so many rows. */
  private static final int UNKNOWN_ROWS = 2;

  private static final int CHUNK = 64;
  private static final int COMMIT = 2;

  private MemoryNode node;
  private Connection connection;

  private interface Work {
    void run() throws SQLException;
  }

  @BeforeEach
  void open() throws Exception {
    node =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(256 << 20),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT);
    node.start();
    try (Connection first = connect("")) {
      run(first, "CREATE TABLE item (id INT PRIMARY KEY, stock INT, CHECK (stock >= 0))");
      run(first, "CREATE TABLE line (id INT PRIMARY KEY, item INT)");
      run(first, "CREATE TABLE part (item INT, n INT, v INT, PRIMARY KEY (item, n))");
      try (PreparedStatement insert = first.prepareStatement("INSERT INTO item VALUES (?, 100)")) {
        fill(insert);
      }
      try (PreparedStatement insert =
          first.prepareStatement("INSERT INTO line VALUES (?, MOD(? * 7, 600))")) {
        for (int id = 0; id < ROWS; id++) {
          insert.setInt(1, id);
          insert.setInt(2, id);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      try (PreparedStatement insert = first.prepareStatement("INSERT INTO part VALUES (?, ?, 0)")) {
        for (int i = 0; i < ROWS; i++) {
          insert.setInt(1, i / 3);
          insert.setInt(2, i % 3);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      CrashRounds.shutDown(first);
    }
    connection = reconnect("");
    connection.setAutoCommit(false);
    number("SELECT COUNT(*) FROM line WHERE id = 1"); // reads the catalogue's part in directories
    number("SELECT COUNT(*) FROM item WHERE id = 1");
    connection.commit();
    update("UPDATE line SET item = item WHERE id = 599"); // the session's log is made at its first
    connection.commit();
  }

  private void fill(PreparedStatement insert) throws SQLException {
    for (int id = 0; id < ROWS; id++) {
      insert.setInt(1, id);
      insert.addBatch();
    }
    insert.executeBatch();
  }

  /** A new compute node: it remembers nothing. */
  private Connection reconnect(String options) throws SQLException {
    while (node.isOwned()) {
      Thread.onSpinWait();
    }
    return connect(options);
  }

  private Connection connect(String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:nelumbo://" + node.address() + "/shop?counters=true" + options);
  }

  @AfterEach
  void close() throws SQLException {
    CrashRounds.shutDown(connection);
    node.close();
  }

  private long number(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private int update(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  private long roundTrips() throws SQLException {
    return connection.unwrap(Session.class).counters().roundTrips();
  }

  private long roundTrips(Work work) throws SQLException {
    long before = roundTrips();
    work.run();
    return roundTrips() - before;
  }

  private void assertRoundTrips(long most, Work work) throws SQLException {
    long taken = roundTrips(work);
    assertTrue(taken <= most, "took " + taken + " round trips, not " + most);
  }

  /** {@code (from, from + 1, ...)}. */
  private static String list(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(", ", "(", ")"));
  }

  @Test
  void shouldReadARowThatIsRememberedInNoneButAskWhosePoolItIsAtTheCommit() throws SQLException {
    assertReadTakes(0, 1, true);
    assertReadTakes(0, 1, false);
  }

  @Test
  void shouldReadARowWhoseRecordAloneIsUnknownInOne() throws SQLException {
    CrashRounds.shutDown(connection);
    connection = reconnect("&recordCache=0");
    connection.setAutoCommit(false);
    number("SELECT COUNT(*) FROM item WHERE id = 1");
    connection.commit();
    assertReadTakes(1, 0, true);
    assertReadTakes(1, 0, false);
  }

  /** The first read of a row by a compute node, and the next one in another transaction. */
  private void assertReadTakes(int next, int commit, boolean readOnly) throws SQLException {
    connection.setReadOnly(readOnly);
    int id = readOnly ? 5 : 6;
    String query = "SELECT stock FROM item WHERE id = " + id;
    assertEquals(UNKNOWN_ROWS, roundTrips(() -> assertEquals(100, number(query))));
    connection.commit();
    assertEquals(next, roundTrips(() -> assertEquals(100, number(query))));
    assertEquals(commit, roundTrips(connection::commit));
  }

  @Test
  void shouldNotAskAgainIfThePoolHasAnsweredSince() throws SQLException {
    number("SELECT stock FROM item WHERE id = 5");
    connection.commit();
    number("SELECT stock FROM item WHERE id = 5");
    number("SELECT stock FROM item WHERE id = 6");
    assertEquals(0, roundTrips(connection::commit));
  }

  @Test
  void shouldRememberWhatWasWritten() throws SQLException {
    update("UPDATE item SET stock = 7 WHERE id = 8");
    run(connection, "INSERT INTO line VALUES (9001, 77)");
    connection.commit();
    assertEquals(
        0, roundTrips(() -> assertEquals(7, number("SELECT stock FROM item WHERE id = 8"))));
    assertEquals(
        0, roundTrips(() -> assertEquals(77, number("SELECT item FROM line WHERE id = 9001"))));
    connection.rollback();
    assertEquals(
        COMMIT,
        roundTrips(
            () -> {
              update("UPDATE item SET stock = stock + 1 WHERE id = 8");
              connection.commit();
            }));
    assertEquals(8, number("SELECT stock FROM item WHERE id = 8"));
  }

  @Test
  void shouldCommitInTwo() throws SQLException {
    update("UPDATE item SET stock = stock - 1 WHERE id IN " + list(0, 20));
    run(connection, "INSERT INTO line VALUES (9001, 1), (9002, 2)");
    update("DELETE FROM line WHERE id = 3");
    assertEquals(COMMIT, roundTrips(connection::commit));
  }

  /** Leaves and lookups, leaves, hash index; then that of a row whose place was taken. */
  @Test
  void shouldTakeInsertedRowsBackInAConstantNumber() throws SQLException {
    for (int rows : new int[] {1, 10, CHUNK}) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO part VALUES (?, 77, 0)")) {
        for (int i = 0; i < rows; i++) {
          insert.setInt(1, i * 3);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      assertRoundTrips(3 + 3, connection::rollback);
      assertEquals(ROWS, number("SELECT COUNT(*) FROM part"));
      connection.commit();
    }
  }

  @Test
  void shouldReadWhatItChangesOnce() throws SQLException {
    assertEquals(100, number("SELECT stock FROM item WHERE id = 5"));
    assertEquals(
        0, roundTrips(() -> assertEquals(1, update("UPDATE item SET stock = 7 WHERE id = 5"))));
    assertEquals(0, roundTrips(() -> number("SELECT stock FROM item WHERE id = 5")));
    assertEquals(COMMIT, roundTrips(connection::commit));
    assertEquals(7, number("SELECT stock FROM item WHERE id = 5"));
  }

  @Test
  void shouldReadListsInAConstantNumber() throws SQLException {
    String query = "SELECT SUM(stock) FROM item WHERE id IN " + list(100, CHUNK);
    assertRoundTrips(UNKNOWN_ROWS, () -> assertEquals(6400, number(query)));
    connection.commit();
    assertRoundTrips(1, () -> assertEquals(6400, number(query)));
  }

  @Test
  void shouldChangeListsInAConstantNumber() throws SQLException {
    String where = " WHERE id IN " + list(100, CHUNK);
    assertRoundTrips(
        UNKNOWN_ROWS,
        () -> assertEquals(CHUNK, update("UPDATE item SET stock = stock + 1" + where)));
    assertEquals(COMMIT, roundTrips(connection::commit));
    assertRoundTrips(1, () -> assertEquals(CHUNK, update("DELETE FROM item" + where)));
    assertEquals(COMMIT, roundTrips(connection::commit));
    assertEquals(ROWS - CHUNK, number("SELECT COUNT(*) FROM item"));
  }

  @Test
  void shouldChangeRangesInAFewForEachLeaf() throws SQLException {
    long few =
        roundTrips(() -> assertEquals(10, update("UPDATE item SET stock = 1 WHERE id < 10")));
    connection.rollback();
    long many =
        roundTrips(() -> assertEquals(300, update("UPDATE item SET stock = 1 WHERE id < 300")));
    connection.rollback();
    // a filter reads with weaker locks first
    long filtered =
        roundTrips(
            () ->
                assertEquals(
                    300, update("UPDATE item SET stock = 1 WHERE id < 300 AND stock = 100")));
    connection.rollback();
    assertTrue(few <= 8, "10 rows took " + few);
    assertTrue(many <= 60, "300 rows took " + many);
    assertTrue(filtered <= 60, "300 filtered rows took " + filtered);
  }

  @Test
  void shouldChangeBatchesInAConstantNumber() throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE item SET stock = stock - ? WHERE id = ?")) {
      for (int id = 0; id < 200; id++) {
        update.setInt(1, id % 7);
        update.setInt(2, 2 * id);
        update.addBatch();
      }
      int[] counts = new int[200];
      Arrays.fill(counts, 1);
      assertRoundTrips(2 * UNKNOWN_ROWS, () -> assertArrayEquals(counts, update.executeBatch()));
    }
    assertEquals(COMMIT, roundTrips(connection::commit));
    assertEquals(98, number("SELECT stock FROM item WHERE id = 18"));
  }

  /** Entries of the index on ITEM are added by the commit, together. */
  @Test
  void shouldChangeIndexedValuesOfBatchesInAConstantNumber() throws SQLException {
    update("CREATE INDEX line_item ON line (item)");
    int[] counts = new int[100];
    Arrays.fill(counts, 1);
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE line SET item = ? WHERE id = ?")) {
      for (int i = 0; i < 100; i++) {
        update.setInt(1, 5 * i);
        update.setInt(2, 6 * i);
        update.addBatch();
      }
      // the first by itself; some find their key in an overflow block of the small hash index
      assertRoundTrips(4 * UNKNOWN_ROWS, () -> assertArrayEquals(counts, update.executeBatch()));
    }
    long taken = roundTrips(connection::commit);
    assertTrue(taken <= 40, taken + " round trips"); // some leaves split
    assertEquals(
        100, number("SELECT COUNT(*) FROM line WHERE item = 5 * id / 6 AND MOD(id, 6) = 0"));
    assertRoundTrips(
        2 * UNKNOWN_ROWS,
        () -> assertEquals(100, update("UPDATE line SET item = item + 7 WHERE id < 100")));
    taken = roundTrips(connection::commit);
    assertTrue(taken <= 40, taken + " round trips");
  }

  @Test
  void shouldReadTheFirstRowOfABatchWithTheOthersWithinATransaction() throws SQLException {
    number("SELECT COUNT(*) FROM line WHERE id = 1");
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE item SET stock = stock - ? WHERE id = ?")) {
      for (int id = 0; id < 40; id++) {
        update.setInt(1, 1);
        update.setInt(2, 2 * id);
        update.addBatch();
      }
      int[] counts = new int[40];
      Arrays.fill(counts, 1);
      assertRoundTrips(UNKNOWN_ROWS, () -> assertArrayEquals(counts, update.executeBatch()));
    }
    connection.commit();
    assertEquals(99, number("SELECT stock FROM item WHERE id = 0"));
  }

  @Test
  void shouldDeleteBatchesInAConstantNumber() throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement("DELETE FROM item WHERE id = ?")) {
      int[] counts = new int[100];
      for (int i = 0; i < 100; i++) {
        delete.setInt(1, i % 2 == 0 ? i : ROWS + i);
        delete.addBatch();
        counts[i] = i % 2 == 0 ? 1 : 0;
      }
      // a row that is not there is looked for by its own statement
      assertRoundTrips(
          2 * UNKNOWN_ROWS + 60, () -> assertArrayEquals(counts, delete.executeBatch()));
    }
    connection.commit();
    assertEquals(ROWS - 50, number("SELECT COUNT(*) FROM item"));
  }

  /** A batch with the numbers 0, 7, 14, ... of items in a mixed order; how many rows each took. */
  private int[] batchOfItems(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < 100; i++) {
        statement.setInt(1, i * 7 % 200);
        statement.addBatch();
      }
      return statement.executeBatch();
    }
  }

  @Test
  void shouldChangeRangesOfBatchesInAFewForManyStatements() throws SQLException {
    int[] counts = new int[100];
    Arrays.fill(counts, 3);
    // the first by itself, then all leaves, CVTs and records
    assertRoundTrips(
        16,
        () -> assertArrayEquals(counts, batchOfItems("UPDATE part SET v = v + 1 WHERE item = ?")));
    assertRoundTrips(
        8,
        () ->
            assertArrayEquals(
                counts, batchOfItems("UPDATE part SET v = v + 1 WHERE item = ? AND v = 1")));
    connection.commit();
    assertEquals(600, number("SELECT SUM(v) FROM part"));
    assertRoundTrips(
        12, () -> assertArrayEquals(counts, batchOfItems("DELETE FROM part WHERE item = ?")));
    assertEquals(ROWS - 300, number("SELECT COUNT(*) FROM part"));
    connection.rollback();
    assertEquals(ROWS, number("SELECT COUNT(*) FROM part"));
  }

  @Test
  void shouldGoOnAfterABatchOfRangesThatFailed() throws SQLException {
    String sql = "UPDATE part SET v = 10 / (item - 21) WHERE item = ?";
    BatchUpdateException e = assertThrows(BatchUpdateException.class, () -> batchOfItems(sql));
    assertEquals("22012", e.getSQLState());
    assertEquals(3, e.getUpdateCounts().length);
    assertEquals(3, update("DELETE FROM part WHERE item = 28"));
    connection.commit();
    assertEquals(ROWS - 3, number("SELECT COUNT(*) FROM part"));
    assertEquals(0, number("SELECT COUNT(*) FROM part WHERE item = 28"));
  }

  @Test
  void shouldStopABatchWhereItFails() throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE item SET stock = stock - ? WHERE id = ?")) {
      for (int id = 0; id < 50; id++) {
        update.setInt(1, id == 30 ? 101 : 1);
        update.setInt(2, id);
        update.addBatch();
      }
      BatchUpdateException e =
          assertThrows(BatchUpdateException.class, () -> update.executeBatch());
      assertEquals("23514", e.getSQLState());
      int[] counts = new int[30];
      Arrays.fill(counts, 1);
      assertArrayEquals(counts, e.getUpdateCounts());
    }
    connection.commit();
    assertEquals(99, number("SELECT stock FROM item WHERE id = 29"));
    assertEquals(100, number("SELECT stock FROM item WHERE id = 30"));
    assertEquals(100, number("SELECT stock FROM item WHERE id = 31"));
  }

  @Test
  void shouldApplyChangesToOneRowInTheirOrder() throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE item SET stock = stock * 2 + ? WHERE id = ?")) {
      for (int i = 0; i < 6; i++) {
        update.setInt(1, i);
        update.setInt(2, i % 2);
        update.addBatch();
      }
      update.executeBatch();
    }
    connection.commit();
    assertEquals(((100 * 2 + 0) * 2 + 2) * 2 + 4, number("SELECT stock FROM item WHERE id = 0"));
    assertEquals(((100 * 2 + 1) * 2 + 3) * 2 + 5, number("SELECT stock FROM item WHERE id = 1"));
  }

  @Test
  void shouldJoinByKeyInBatches() throws SQLException {
    String query =
        "SELECT SUM(i.stock) FROM line l JOIN item i ON i.id = l.item WHERE l.id IN "
            + list(0, CHUNK);
    // lines at once; items in batches of 8, 16, 32 and what is left
    assertRoundTrips(5 * UNKNOWN_ROWS + 5, () -> assertEquals(6400, number(query)));
  }

  @Test
  void shouldInsertRowsTogether() throws SQLException {
    String one = "INSERT INTO line VALUES (5000, 1)";
    StringBuilder many = new StringBuilder("INSERT INTO line VALUES (6000, 1)");
    for (int i = 1; i < 50; i++) {
      many.append(", (").append(6000 + i).append(", 1)");
    }
    long ofOne = roundTrips(() -> update(one));
    long ofMany = roundTrips(() -> update(many.toString()));
    // leaves split on the way, and some rows choose one place in the hash index
    assertTrue(ofMany <= ofOne + 22, "one row took " + ofOne + ", fifty " + ofMany);
    assertEquals(COMMIT, roundTrips(connection::commit));
  }
}
