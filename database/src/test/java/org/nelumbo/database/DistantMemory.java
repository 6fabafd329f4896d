package org.nelumbo.database;

import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.DistantFabric;

/**
 * A pool in this process's memory that says it is remote, so that whoever attaches to it takes care
 * of round trips, and counts them; it outlives those who attach, one after the other.
 */
final class DistantMemory implements AutoCloseable {
  private static final long BYTES = 256L << 20;

  private final LocalFabric memory = new LocalFabric(BYTES);

  /** The compute node that is attached, or was at last; null before the first. */
  private Database database;

  /** A compute node that remembers nothing, instead of the one before, which is closed. */
  Database attach() {
    detach();
    database =
        DatabaseOpener.attach(
            DatabaseOptions.defaults().withMemoryBytes(BYTES).withCountVerbs(true),
            new SystemEnvironment(),
            "a test",
            "",
            () ->
                new DistantFabric(memory) {
                  @Override
                  public void close() {}
                });
    return database;
  }

  private void detach() {
    if (database != null) {
      database.close();
    }
  }

  /** A session at a compute node that remembers nothing, see {@link Sql#transactions}. */
  Sql attachSession() {
    return Sql.transactions(attach());
  }

  /** One more at the same compute node. */
  Sql session() {
    return Sql.transactions(database);
  }

  @Override
  public void close() {
    detach();
    memory.close();
  }
}
