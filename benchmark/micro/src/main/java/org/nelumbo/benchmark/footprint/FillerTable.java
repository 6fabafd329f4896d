package org.nelumbo.benchmark.footprint;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** The table of the memory probes, {@code filled}: a BIGINT and a string of a given length. */
final class FillerTable {
  private static final int LOADED_TOGETHER = 1_000;

  private FillerTable() {}

  /** Creates the table, and switches off auto-commit. */
  static void create(Connection connection, int length) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE filled (id BIGINT PRIMARY KEY, filler VARCHAR(" + length + ") NOT NULL)");
    }
    connection.setAutoCommit(false);
  }

  /** Inserts rows with keys from 0, a thousand in a transaction. */
  static void load(Connection connection, int rows, int length) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO filled VALUES (?, ?)")) {
      for (int id = 0; id < rows; id++) {
        insert.setLong(1, id);
        insert.setString(2, ("row " + id + " ").repeat(length).substring(0, length));
        insert.addBatch();
        if (id % LOADED_TOGETHER == LOADED_TOGETHER - 1 || id == rows - 1) {
          insert.executeBatch();
          connection.commit();
        }
      }
    }
  }
}
