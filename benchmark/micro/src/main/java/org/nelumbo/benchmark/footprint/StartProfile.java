package org.nelumbo.benchmark.footprint;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * Does the same as {@link StartProbe}, and prints the time of each step, the number of loaded
 * classes, the time of the JIT compiler and the number of threads.
 */
final class StartProfile {
  private static final double NANOS_PER_MILLI = 1e6;

  private StartProfile() {}

  public static void main(String[] arguments) throws SQLException {
    long start = System.nanoTime();
    try (Connection connection = DriverManager.getConnection(arguments[0]);
        Statement statement = connection.createStatement()) {
      long connected = System.nanoTime();
      statement.execute("CREATE TABLE first_row (id INTEGER PRIMARY KEY, name VARCHAR(20))");
      long created = System.nanoTime();
      statement.execute("INSERT INTO first_row VALUES (1, 'the first row')");
      long inserted = System.nanoTime();
      try (ResultSet rows = statement.executeQuery("SELECT name FROM first_row WHERE id = 1")) {
        rows.next();
        rows.getString(1);
      }
      long selected = System.nanoTime();
      System.out.println(
          String.format(
              Locale.ROOT,
              "connect_ms=%.0f create_ms=%.0f insert_ms=%.0f select_ms=%.0f classes=%d jit_ms=%d"
                  + " threads=%d",
              (connected - start) / NANOS_PER_MILLI,
              (created - connected) / NANOS_PER_MILLI,
              (inserted - created) / NANOS_PER_MILLI,
              (selected - inserted) / NANOS_PER_MILLI,
              ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount(),
              ManagementFactory.getCompilationMXBean().getTotalCompilationTime(),
              ManagementFactory.getThreadMXBean().getPeakThreadCount()));
    }
  }
}
