package org.nelumbo.benchmark.footprint;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills a table with rows of a given size (a BIGINT and a string), then opens connections that each
 * run a prepared SELECT and stay open. Prints the memory of both: bytes of heap after a full
 * collection, bytes of the pool, and bytes of the process outside the heap (0 if the operating
 * system does not report it).
 */
final class HeapProbe {
  private static final int COLLECTIONS = 3;

  private final String url;
  private final Connection connection;
  private final List<Connection> opened = new ArrayList<>();

  private HeapProbe(String url) throws SQLException {
    this.url = url;
    this.connection = DriverManager.getConnection(url);
  }

  /**
   * Runs the probe.
   *
   * @param arguments URL, number of rows, bytes of a row, number of connections
   */
  public static void main(String[] arguments) throws SQLException, IOException {
    HeapProbe probe = new HeapProbe(arguments[0]);
    int rows = Integer.parseInt(arguments[1]);
    int length = Integer.parseInt(arguments[2]) - Long.BYTES;
    int connections = Integer.parseInt(arguments[3]);
    FillerTable.create(probe.connection, length);
    probe.open(1); // allocates the memory that all connections share
    Use empty = probe.use();
    FillerTable.load(probe.connection, rows, length);
    Use loaded = probe.use();
    probe.open(connections);
    Use connected = probe.use();
    System.out.printf(
        "row_heap=%d row_pool=%d connection_heap=%d connection_outside=%d%n",
        (loaded.heap - empty.heap) / rows,
        (loaded.pool - empty.pool) / rows,
        (connected.heap - loaded.heap) / connections,
        (connected.outside - loaded.outside) / connections);
    System.exit(0); // exits without waiting for the connections
  }

  private void open(int connections) throws SQLException {
    for (int i = 0; i < connections; i++) {
      Connection another = DriverManager.getConnection(url);
      opened.add(another);
      another.setAutoCommit(false);
      PreparedStatement select = another.prepareStatement("SELECT filler FROM filled WHERE id = ?");
      select.setLong(1, i);
      try (ResultSet row = select.executeQuery()) {
        row.next();
      }
      another.commit();
    }
  }

  private Use use() throws SQLException, IOException {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    var memory = ManagementFactory.getMemoryMXBean();
    long resident = ResidentMemory.bytes();
    long heapCommitted = memory.getHeapMemoryUsage().getCommitted();
    return new Use(
        memory.getHeapMemoryUsage().getUsed(),
        pool(),
        resident == 0 ? 0 : resident - heapCommitted);
  }

  private long pool() throws SQLException {
    if (!url.startsWith("jdbc:nelumbo:")) {
      return 0;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT bytes FROM sys.memory WHERE kind = 'POOL TAKEN'")) {
      row.next();
      return row.getLong(1);
    }
  }

  private record Use(long heap, long pool, long outside) {}
}
