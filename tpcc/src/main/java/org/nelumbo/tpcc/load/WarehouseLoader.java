package org.nelumbo.tpcc.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.load.BatchInsert;
import org.nelumbo.tpcc.data.Money;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

/** Fills one warehouse: its row, its stock and its districts, clause 4.3.3.1. */
final class WarehouseLoader {
  private static final long WAREHOUSE_YTD_CENTS = 30_000_000;
  private static final long DISTRICT_YTD_CENTS = 3_000_000;

  private final Connection connection;
  private final Dialect dialect;
  private final LoadProgress progress;
  private final Population population;
  private final TpccRandom random;
  private final int warehouse;
  private final Timestamp now = new Timestamp(System.currentTimeMillis());

  WarehouseLoader(
      Connection connection,
      Dialect dialect,
      LoadProgress progress,
      Population population,
      TpccRandom random,
      int warehouse) {
    this.connection = connection;
    this.dialect = dialect;
    this.progress = progress;
    this.population = population;
    this.random = random;
    this.warehouse = warehouse;
  }

  void load() throws SQLException {
    loadWarehouse();
    loadStock();
    loadDistricts();
    try (CustomerLoader customers =
        new CustomerLoader(this::into, population, random, warehouse, now)) {
      for (int district = 1; district <= Population.DISTRICTS; district++) {
        customers.load(district);
      }
    }
    try (OrderLoader orders = new OrderLoader(this::into, population, random, warehouse, now)) {
      for (int district = 1; district <= Population.DISTRICTS; district++) {
        orders.load(district);
      }
    }
  }

  private BatchInsert into(String table, int columns) throws SQLException {
    return new BatchInsert(connection, dialect, progress, table, columns);
  }

  private void loadWarehouse() throws SQLException {
    try (BatchInsert insert = into("warehouse", 9)) {
      insert.add(
          warehouse,
          random.text(6, 10),
          random.text(10, 20),
          random.text(10, 20),
          random.text(10, 20),
          random.letters(2),
          random.zip(),
          Money.ofRate(random.uniform(0, 2_000)),
          Money.ofCents(ytdCents(WAREHOUSE_YTD_CENTS)));
    }
  }

  private void loadDistricts() throws SQLException {
    try (BatchInsert insert = into("district", 11)) {
      for (int district = 1; district <= Population.DISTRICTS; district++) {
        insert.add(
            district,
            warehouse,
            random.text(6, 10),
            random.text(10, 20),
            random.text(10, 20),
            random.text(10, 20),
            random.letters(2),
            random.zip(),
            Money.ofRate(random.uniform(0, 2_000)),
            Money.ofCents(ytdCents(DISTRICT_YTD_CENTS)),
            population.ordersPerDistrict() + 1);
      }
    }
  }

  /**
   * Scales a year-to-date amount of the specification: each customer has paid 10.00, so a smaller
   * population has paid less.
   */
  private long ytdCents(long specCents) {
    return specCents / Population.SPEC.customersPerDistrict() * population.customersPerDistrict();
  }

  private void loadStock() throws SQLException {
    try (BatchInsert insert = into("stock", 17)) {
      for (int item = 1; item <= population.items(); item++) {
        Object[] row = new Object[17];
        row[0] = item;
        row[1] = warehouse;
        row[2] = random.uniform(10, 100);
        for (int district = 0; district < Population.DISTRICTS; district++) {
          row[3 + district] = random.text(24, 24);
        }
        row[13] = 0;
        row[14] = 0;
        row[15] = 0;
        row[16] = random.dataWithOriginal();
        insert.add(row);
      }
    }
  }
}
