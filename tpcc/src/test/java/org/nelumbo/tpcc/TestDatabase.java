package org.nelumbo.tpcc;

import java.sql.SQLException;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.MemoryDatabase;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.load.Loader;

/** A database in memory with a tiny population, which loads quickly. */
public final class TestDatabase extends MemoryDatabase {
  /** A population with so few items that some orders contain an item twice. */
  public static final Population TINY = new Population("tiny", 100, 30, 21);

  public static final long SEED = 42;

  /** Loads the given number of warehouses into H2. */
  public TestDatabase(int warehouses, boolean foreignKeys)
      throws SQLException, InterruptedException {
    this("jdbc:h2:mem:NAME", warehouses, foreignKeys);
  }

  /**
   * Loads the given number of warehouses.
   *
   * @param url URL in which {@code NAME} stands for the name of the database
   */
  public TestDatabase(String url, int warehouses, boolean foreignKeys)
      throws SQLException, InterruptedException {
    super(url);
    new Loader(database(), TINY, warehouses, SEED).load(LoadProgress.NONE, foreignKeys);
  }
}
