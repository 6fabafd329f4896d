package org.nelumbo.benchmark.footprint;

import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Locale;

/**
 * Opens fresh databases one after the other, and in each of them creates tables with an index and a
 * foreign key, inserts rows by prepared statements, runs queries with different texts and closes
 * it, as a test suite does. Arguments: URL, databases, tables, rows per table, queries.
 */
final class SuiteProbe {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int KINDS = 8;

  private final int tables;
  private final int rows;
  private final int queries;
  private long openNanos;
  private long ddlNanos;
  private long insertNanos;
  private long queryNanos;
  private long closeNanos;

  private SuiteProbe(int tables, int rows, int queries) {
    this.tables = tables;
    this.rows = rows;
    this.queries = queries;
  }

  public static void main(String[] arguments) throws SQLException {
    int databases = Integer.parseInt(arguments[1]);
    SuiteProbe probe =
        new SuiteProbe(
            Integer.parseInt(arguments[2]),
            Integer.parseInt(arguments[3]),
            Integer.parseInt(arguments[4]));
    for (int i = 0; i < databases; i++) {
      // databases of others in the memory of a process have names
      String url = arguments[0];
      probe.run(url.startsWith("jdbc:nelumbo:") ? url : url + "suite" + i);
    }
    System.gc();
    System.out.println(
        String.format(
            Locale.ROOT,
            "total_ms=%.0f open_ms=%.0f ddl_ms=%.0f insert_ms=%.0f query_ms=%.0f close_ms=%.0f"
                + " heap_kb=%d threads=%d",
            (probe.openNanos
                    + probe.ddlNanos
                    + probe.insertNanos
                    + probe.queryNanos
                    + probe.closeNanos)
                / NANOS_PER_MILLI,
            probe.openNanos / NANOS_PER_MILLI,
            probe.ddlNanos / NANOS_PER_MILLI,
            probe.insertNanos / NANOS_PER_MILLI,
            probe.queryNanos / NANOS_PER_MILLI,
            probe.closeNanos / NANOS_PER_MILLI,
            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10,
            Thread.activeCount()));
  }

  private void run(String url) throws SQLException {
    long start = System.nanoTime();
    Connection connection = DriverManager.getConnection(url);
    long opened = System.nanoTime();
    createTables(connection);
    long created = System.nanoTime();
    for (int table = 0; table < tables; table++) {
      insert(connection, table);
    }
    long inserted = System.nanoTime();
    for (int query = 0; query < queries; query++) {
      query(connection, query);
    }
    long queried = System.nanoTime();
    connection.close();
    openNanos += opened - start;
    ddlNanos += created - opened;
    insertNanos += inserted - created;
    queryNanos += queried - inserted;
    closeNanos += System.nanoTime() - queried;
  }

  private void createTables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (int i = 0; i < tables; i++) {
        String key = i == 0 ? "" : ", FOREIGN KEY (parent) REFERENCES t" + (i - 1) + " (id)";
        statement.execute(
            "CREATE TABLE t"
                + i
                + " (id INT PRIMARY KEY, parent INT, name VARCHAR(40) NOT NULL, amount"
                + " DECIMAL(12, 2), born DATE, active BOOLEAN DEFAULT TRUE"
                + key
                + ")");
        statement.execute("CREATE INDEX i" + i + " ON t" + i + " (name)");
      }
    }
  }

  private void insert(Connection connection, int table) throws SQLException {
    String sql =
        "INSERT INTO t" + table + " (id, parent, name, amount, born) VALUES (?, ?, ?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (int row = 0; row < rows; row++) {
        insert.setInt(1, row);
        if (table == 0) {
          insert.setNull(2, Types.INTEGER);
        } else {
          insert.setInt(2, row / 2);
        }
        insert.setString(3, "name " + row);
        insert.setBigDecimal(4, new BigDecimal("1.25"));
        insert.setDate(5, Date.valueOf("2026-01-02"));
        insert.executeUpdate();
      }
    }
  }

  private void query(Connection connection, int number) throws SQLException {
    int kind = number % KINDS;
    int table = number % (tables - 1);
    try (PreparedStatement query = connection.prepareStatement(text(kind, table, number))) {
      if (kind == 1) {
        query.setString(1, "name 3");
      } else {
        query.setInt(1, 7);
      }
      if (query.execute()) {
        try (ResultSet result = query.getResultSet()) {
          while (result.next()) {
            result.getObject(1);
          }
        }
      }
    }
  }

  private String text(int kind, int table, int number) {
    String next = "t" + (table + 1);
    return switch (kind) {
      case 0 -> "SELECT * FROM t" + table + " WHERE id = ?";
      case 1 -> "SELECT id, name FROM t" + table + " WHERE name = ? ORDER BY id";
      case 2 -> "SELECT COUNT(*), SUM(amount) FROM t" + table + " WHERE id > ?";
      case 3 ->
          "SELECT a.id, b.name FROM "
              + next
              + " a JOIN t"
              + table
              + " b ON a.parent = b.id WHERE a.id < ?";
      case 4 -> "UPDATE t" + table + " SET amount = amount + 1 WHERE id = ?";
      case 5 ->
          "SELECT name, COUNT(*) FROM t" + table + " WHERE id >= ? GROUP BY name ORDER BY name";
      case 6 ->
          "SELECT * FROM t" + table + " WHERE id IN (SELECT parent FROM " + next + " WHERE id < ?)";
      default -> "DELETE FROM t" + (tables - 1) + " WHERE id = ? AND name = 'no " + number + "'";
    };
  }
}
