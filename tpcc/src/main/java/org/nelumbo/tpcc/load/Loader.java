package org.nelumbo.tpcc.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.benchmark.load.ParallelLoad;
import org.nelumbo.tpcc.data.NuRandConstants;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

/**
 * Creates the tables, then loads the items and each warehouse, in parallel if the product benefits
 * from it. The rows depend only on the seed, except for their timestamps.
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
    List<ParallelLoad.Part> parts = new ArrayList<>();
    parts.add(connection -> loadItems(connection, progress));
    for (int i = 1; i <= warehouses; i++) {
      int warehouse = i;
      parts.add(connection -> loadWarehouse(connection, warehouse, progress));
    }
    ParallelLoad.run(database, parts);
    if (foreignKeys) {
      database.executeAll(script("foreign-keys.sql"));
    }
  }

  private List<String> script(String fileName) {
    return SqlResource.load(Loader.class, fileName).statements(database.dialect());
  }

  private void loadItems(Connection connection, LoadProgress progress) throws SQLException {
    new ItemLoader(connection, database.dialect(), progress, random(0)).load(population.items());
  }

  private void loadWarehouse(Connection connection, int warehouse, LoadProgress progress)
      throws SQLException {
    new WarehouseLoader(
            connection, database.dialect(), progress, population, random(warehouse), warehouse)
        .load();
  }

  private TpccRandom random(int part) {
    return new TpccRandom(seed * 1_000_003 + part, constants);
  }
}
