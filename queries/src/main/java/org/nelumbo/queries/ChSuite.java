package org.nelumbo.queries;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.benchmark.load.BatchInsert;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.load.Loader;

/**
 * The CH-benCHmark: TPC-C's nine tables, three further tables, and TPC-H's 22 queries on them.
 *
 * @param warehouses number of TPC-C warehouses
 */
record ChSuite(int warehouses) implements QuerySuite {
  private static final int SUPPLIERS = 10_000;
  private static final int NATIONS = 62;
  private static final long SEED = 42;

  private static final String[] REGIONS = {"Africa", "America", "Asia", "Australia", "Europe"};

  /**
   * Names of the nations that the queries mention, by number. Other nations are named by their
   * number.
   */
  private static final String[] NAMED = {"Germany", "Cambodia"};

  @Override
  public void load(Database database) throws SQLException, InterruptedException {
    new Loader(database, Population.SPEC, warehouses, SEED).load(LoadProgress.NONE, false);
    database.executeAll(
        SqlResource.load(ChSuite.class, "ch/schema.sql").statements(database.dialect()));
    try (Connection connection = database.connect()) {
      try (BatchInsert insert = insert(connection, database, "region", 3)) {
        for (int i = 0; i < REGIONS.length; i++) {
          insert.add(i, REGIONS[i], "region " + i);
        }
      }
      try (BatchInsert insert = insert(connection, database, "nation", 4)) {
        for (int i = 0; i < NATIONS; i++) {
          // Germany is in Europe, Cambodia in Asia. Keys are codes of letters and digits, as in
          // c_state.
          String name = i < NAMED.length ? NAMED[i] : "Nation " + i;
          int region = i < NAMED.length ? 4 - 2 * i : i % REGIONS.length;
          insert.add(nationKey(i), name, region, "nation " + i);
        }
      }
      try (BatchInsert insert = insert(connection, database, "supplier", 7)) {
        for (int i = 0; i < SUPPLIERS; i++) {
          insert.add(supplier(i));
        }
      }
    }
  }

  private static Object[] supplier(int number) {
    String comment = number % 2_000 == 7 ? "said bad things" : "comment of supplier " + number;
    return Stream.of(
            number,
            "Supplier#" + number,
            "address " + number,
            nationKey(number * 7 % NATIONS),
            "phone " + number,
            java.math.BigDecimal.valueOf(number * 31L % 1_000_000, 2),
            comment)
        .toArray();
  }

  /** Returns the character code that identifies a nation in customers and suppliers. */
  private static int nationKey(int nation) {
    return nation < 10 ? '0' + nation : nation < 36 ? 'A' + nation - 10 : 'a' + nation - 36;
  }

  private static BatchInsert insert(
      Connection connection, Database database, String table, int columns) throws SQLException {
    return new BatchInsert(connection, database.dialect(), LoadProgress.NONE, table, columns);
  }

  @Override
  public SqlResource queries() {
    return SqlResource.load(ChSuite.class, "ch/queries.sql");
  }
}
