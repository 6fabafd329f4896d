package org.nelumbo.benchmark.footprint;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Opens a database, fills a table, reads each row by its key, and prints the resident memory of the
 * process while the database is open. Arguments: URL, rows, bytes of a row.
 */
final class ResidentProbe {
  private ResidentProbe() {}

  public static void main(String[] arguments) throws SQLException, IOException {
    int rows = Integer.parseInt(arguments[1]);
    int length = Integer.parseInt(arguments[2]) - Long.BYTES;
    try (Connection connection = DriverManager.getConnection(arguments[0])) {
      FillerTable.create(connection, length);
      FillerTable.load(connection, rows, length);
      read(connection, rows);
      System.out.println("resident_kb=" + (ResidentMemory.bytes() >> 10));
    }
  }

  private static void read(Connection connection, int rows) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT filler FROM filled WHERE id = ?")) {
      for (int id = 0; id < rows; id++) {
        select.setLong(1, id);
        try (ResultSet row = select.executeQuery()) {
          row.next();
        }
      }
    }
    connection.commit();
  }
}
