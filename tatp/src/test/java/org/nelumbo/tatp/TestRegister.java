package org.nelumbo.tatp;

import java.sql.SQLException;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.MemoryDatabase;
import org.nelumbo.tatp.load.Loaded;
import org.nelumbo.tatp.load.Loader;

/** A small register in memory. */
public final class TestRegister extends MemoryDatabase {
  public static final int SUBSCRIBERS = 200;
  private final Loaded loaded;

  /**
   * Loads the subscribers.
   *
   * @param url URL in which {@code NAME} stands for the name of the database
   */
  public TestRegister(String url) throws SQLException, InterruptedException {
    super(url);
    loaded = new Loader(database(), SUBSCRIBERS, 42).load(LoadProgress.NONE);
  }

  public Loaded loaded() {
    return loaded;
  }
}
