package org.nelumbo.tpcc;

import java.sql.SQLException;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.MemoryDatabase;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.load.Loader;

/** A database in memory with a tiny population, loaded within a moment. */
public final class TestDatabase extends MemoryDatabase {
  /** Items few enough for orders to name one twice, now and then. */
  public static final Population TINY = new Population("tiny", 100, 30, 21);

  public static final long SEED = 42;

  /** Loads so many warehouses into H2. */
  public TestDatabase(int warehouses, boolean foreignKeys)
      throws SQLException, InterruptedException {
    this("jdbc:h2:mem:NAME", warehouses, foreignKeys);
  }

  /**
   * Loads so many warehouses.
   *
   * @param url with {@code NAME} where the name of the database belongs
   */
  public TestDatabase(String url, int warehouses, boolean foreignKeys)
      throws SQLException, InterruptedException {
    super(url);
    new Loader(database(), TINY, warehouses, SEED).load(LoadProgress.NONE, foreignKeys);
  }
}
