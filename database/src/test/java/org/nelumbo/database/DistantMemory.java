package org.nelumbo.database;

import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.DistantFabric;

/**
 * A pool in the memory of this process that reports itself as remote, so that an attached compute
 * node saves round trips. It counts them. The pool outlives the compute nodes that attach to it one
 * after the other.
 */
final class DistantMemory implements AutoCloseable {
  private static final long BYTES = 256L << 20;

  private final LocalFabric memory = new LocalFabric(BYTES);

  /** The compute node that is or was attached; null before the first one. */
  private Database database;

  /** Attaches a compute node with empty caches and closes the previous one. */
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

  /** Opens a session at a compute node with empty caches; see {@link Sql#transactions}. */
  Sql attachSession() {
    return Sql.transactions(attach());
  }

  /** Opens another session at the same compute node. */
  Sql session() {
    return Sql.transactions(database);
  }

  @Override
  public void close() {
    detach();
    memory.close();
  }
}
