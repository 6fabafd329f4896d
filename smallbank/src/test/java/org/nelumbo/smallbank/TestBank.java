package org.nelumbo.smallbank;

import java.sql.SQLException;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.MemoryDatabase;
import org.nelumbo.smallbank.load.Loader;

/** A small bank in memory. */
public final class TestBank extends MemoryDatabase {
  public static final int CUSTOMERS = 50;
  private final long loadedCents;

  /**
   * Loads the accounts.
   *
   * @param url URL in which {@code NAME} stands for the name of the database
   */
  public TestBank(String url, boolean compat) throws SQLException, InterruptedException {
    super(url);
    loadedCents = new Loader(database(), CUSTOMERS, compat, 42).load(LoadProgress.NONE);
  }

  /** Returns the sum of all balances after the load. */
  public long loadedCents() {
    return loadedCents;
  }
}
