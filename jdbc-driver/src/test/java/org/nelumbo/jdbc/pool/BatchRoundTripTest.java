package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Proves that the number of round trips of {@code executeBatch} does not grow with the number of
 * rows.
 */
class BatchRoundTripTest extends RemoteShop {
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
    assertCommitTakes(LARGE_COMMIT, connection::commit);
    assertEquals(98, number("SELECT stock FROM item WHERE id = 18"));
  }

  /** The commit adds the entries of the index on ITEM, all together. */
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
      // the first row alone; some keys are in an overflow block of the small hash index
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
  void shouldReadAllRowsOfBatchTogetherInTransaction() throws SQLException {
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
      // the first row alone, then two groups; a missing row is searched for once
      assertRoundTrips(4 * UNKNOWN_ROWS, () -> assertArrayEquals(counts, delete.executeBatch()));
    }
    connection.commit();
    assertEquals(ROWS - 50, number("SELECT COUNT(*) FROM item"));
  }

  /** Runs a batch for the items 0, 7, 14, ... in a mixed order and returns the update counts. */
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
    // the first row alone, then all leaves, CVTs and records
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
  void shouldContinueTransactionAfterFailedRangeBatch() throws SQLException {
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

  /**
   * All rows run in one transaction, with one begin and one commit. Batches repeat this for each
   * 256 rows.
   */
  @Test
  void shouldRunBatchesInAConstantNumberInAutoCommitMode() throws SQLException {
    connection.setAutoCommit(true);
    int[] counts = new int[200];
    Arrays.fill(counts, 1);
    try (PreparedStatement update =
            connection.prepareStatement("UPDATE item SET stock = stock - ? WHERE id = ?");
        PreparedStatement insert = connection.prepareStatement("INSERT INTO line VALUES (?, ?)");
        PreparedStatement delete = connection.prepareStatement("DELETE FROM line WHERE id = ?")) {
      for (int i = 0; i < 200; i++) {
        update.setInt(1, i % 7);
        update.setInt(2, 2 * i);
        update.addBatch();
        insert.setInt(1, 5000 + i);
        insert.setInt(2, i);
        insert.addBatch();
        delete.setInt(1, 5000 + i);
        delete.addBatch();
      }
      // one more if the allocator takes a chunk of the pool
      assertRoundTrips(
          2 * UNKNOWN_ROWS + LARGE_COMMIT + 1,
          () -> assertArrayEquals(counts, update.executeBatch()));
      // the small hash index and some leaves split
      assertRoundTrips(85, () -> assertArrayEquals(counts, insert.executeBatch()));
      assertRoundTrips(LARGE_COMMIT + 1, () -> assertArrayEquals(counts, delete.executeBatch()));
    }
    assertEquals(98, number("SELECT stock FROM item WHERE id = 18"));
    assertEquals(ROWS, number("SELECT COUNT(*) FROM line"));
  }
}
