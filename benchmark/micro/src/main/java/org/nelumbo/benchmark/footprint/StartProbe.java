package org.nelumbo.benchmark.footprint;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Opens a database, creates a table with one row, reads the row and prints it. */
final class StartProbe {
  private StartProbe() {}

  public static void main(String[] arguments) throws SQLException {
    try (Connection connection = DriverManager.getConnection(arguments[0]);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE first_row (id INTEGER PRIMARY KEY, name VARCHAR(20))");
      statement.execute("INSERT INTO first_row VALUES (1, 'the first row')");
      try (ResultSet rows = statement.executeQuery("SELECT name FROM first_row WHERE id = 1")) {
        rows.next();
        System.out.println(rows.getString(1));
      }
    }
  }
}
