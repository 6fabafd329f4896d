package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.run;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Proves that the round trips of statements do not grow with the number of rows. */
class RoundTripTest extends RemoteShop {
  @Test
  void shouldReadCachedRowWithoutRoundTripUntilCommit() throws SQLException {
    assertReadTakes(0, 1, true);
    assertReadTakes(0, 1, false);
  }

  @Test
  void shouldReadUncachedRecordInOneRoundTrip() throws SQLException {
    CrashRounds.shutDown(connection);
    connection = reconnect("&recordCache=0");
    connection.setAutoCommit(false);
    number("SELECT COUNT(*) FROM item WHERE id = 1");
    connection.commit();
    assertReadTakes(1, 0, true);
    assertReadTakes(1, 0, false);
  }

  /**
   * Asserts the round trips of the first read of a row by a compute node, and of the next read in
   * another transaction. A read-only transaction takes another one, at its beginning, which also
   * shows that the compute node still has the pool.
   */
  private void assertReadTakes(int next, int commit, boolean readOnly) throws SQLException {
    connection.setReadOnly(readOnly);
    int id = readOnly ? 5 : 6;
    int snapshot = readOnly ? 1 : 0;
    String query = "SELECT stock FROM item WHERE id = " + id;
    assertEquals(UNKNOWN_ROWS + snapshot, roundTrips(() -> assertEquals(100, number(query))));
    connection.commit();
    assertEquals(next + snapshot, roundTrips(() -> assertEquals(100, number(query))));
    assertEquals(readOnly ? 0 : commit, roundTrips(connection::commit));
  }

  @Test
  void shouldSkipOwnershipCheckIfPoolHasReplied() throws SQLException {
    number("SELECT stock FROM item WHERE id = 5");
    connection.commit();
    number("SELECT stock FROM item WHERE id = 5");
    number("SELECT stock FROM item WHERE id = 6");
    assertEquals(0, roundTrips(connection::commit));
  }

  @Test
  void shouldCacheWrittenRows() throws SQLException {
    update("UPDATE item SET stock = 7 WHERE id = 8");
    run(connection, "INSERT INTO line VALUES (9001, 77)");
    connection.commit();
    assertEquals(
        0, roundTrips(() -> assertEquals(7, number("SELECT stock FROM item WHERE id = 8"))));
    assertEquals(
        0, roundTrips(() -> assertEquals(77, number("SELECT item FROM line WHERE id = 9001"))));
    connection.rollback();
    assertCommitTakes(
        COMMIT,
        () -> {
          update("UPDATE item SET stock = stock + 1 WHERE id = 8");
          connection.commit();
        });
    assertEquals(8, number("SELECT stock FROM item WHERE id = 8"));
  }

  @Test
  void shouldCommitInTwo() throws SQLException {
    update("UPDATE item SET stock = stock - 1 WHERE id IN " + list(0, 20));
    run(connection, "INSERT INTO line VALUES (9001, 1), (9002, 2)");
    update("DELETE FROM line WHERE id = 3");
    assertCommitTakes(COMMIT, connection::commit);
  }

  /**
   * The round trips of a rollback: leaves and lookups, leaves, the hash index; then those for rows
   * whose slot was taken.
   */
  @Test
  void shouldRollBackInsertsInConstantNumber() throws SQLException {
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
  void shouldReadUpdatedRowOnce() throws SQLException {
    assertEquals(100, number("SELECT stock FROM item WHERE id = 5"));
    assertEquals(
        0, roundTrips(() -> assertEquals(1, update("UPDATE item SET stock = 7 WHERE id = 5"))));
    assertEquals(0, roundTrips(() -> number("SELECT stock FROM item WHERE id = 5")));
    assertCommitTakes(COMMIT, connection::commit);
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
    assertCommitTakes(COMMIT, connection::commit);
    assertRoundTrips(1, () -> assertEquals(CHUNK, update("DELETE FROM item" + where)));
    assertCommitTakes(COMMIT, connection::commit);
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
    // all lines at once; items in batches of 8, 16, 32 and the rest
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
    // leaves split during the insert, and some rows choose the same slot of the hash index
    assertTrue(ofMany <= ofOne + 22, "one row took " + ofOne + ", fifty " + ofMany);
    assertCommitTakes(COMMIT, connection::commit);
  }
}
