package org.nelumbo.tpcc.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.tpcc.data.NuRandConstants;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

/**
 * Creates the tables, then loads the items and each warehouse, several at a time if the product
 * gains from it. The rows depend only on the seed.
 */
public final class Loader {
  /** The tables in the order of their creation. */
  public static final List<String> TABLES =
      List.of(
          "warehouse",
          "district",
          "customer",
          "history",
          "orders",
          "new_order",
          "item",
          "stock",
          "order_line");

  private final Database database;
  private final Population population;
  private final int warehouses;
  private final long seed;
  private final NuRandConstants constants;

  /** A loader that has done nothing yet. */
  public Loader(Database database, Population population, int warehouses, long seed) {
    this.database = database;
    this.population = population;
    this.warehouses = warehouses;
    this.seed = seed;
    this.constants = NuRandConstants.of(seed);
  }

  /** Creates and fills the tables. */
  public void load(LoadProgress progress, boolean foreignKeys)
      throws SQLException, InterruptedException {
    progress.expect(population.items() + warehouses * population.rowsPerWarehouse());
    database.executeAll(script("schema.sql"));
    List<Callable<Void>> parts = new ArrayList<>();
    parts.add(() -> loadItems(progress));
    for (int i = 1; i <= warehouses; i++) {
      int warehouse = i;
      parts.add(() -> loadWarehouse(warehouse, progress));
    }
    runAll(parts);
    if (foreignKeys) {
      database.executeAll(script("foreign-keys.sql"));
    }
  }

  private List<String> script(String fileName) {
    return SqlResource.load(Loader.class, fileName).statements(database.dialect());
  }

  private Void loadItems(LoadProgress progress) throws SQLException {
    try (Connection connection = database.connect()) {
      new ItemLoader(connection, database.dialect(), progress, random(0)).load(population.items());
    }
    return null;
  }

  private Void loadWarehouse(int warehouse, LoadProgress progress) throws SQLException {
    try (Connection connection = database.connect()) {
      new WarehouseLoader(
              connection, database.dialect(), progress, population, random(warehouse), warehouse)
          .load();
    }
    return null;
  }

  private TpccRandom random(int part) {
    return new TpccRandom(seed * 1_000_003 + part, constants);
  }

  /** Runs all parts; the first failure ends the load. */
  private void runAll(List<Callable<Void>> parts) throws SQLException, InterruptedException {
    int threads =
        database.dialect().loadsInParallel() ? Runtime.getRuntime().availableProcessors() : 1;
    ExecutorService executor =
        Executors.newFixedThreadPool(
            Math.min(threads, parts.size()), Thread.ofPlatform().name("load-", 0).factory());
    try {
      List<Future<Void>> running = parts.stream().map(executor::submit).toList();
      for (Future<Void> part : running) {
        part.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SQLException sql ? sql : new SQLException(e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }
}
