package org.nelumbo.database.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.check.Findings;
import org.nelumbo.dm.disk.Directories;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.physical.StatementPlanner;

/**
 * Concurrency of DROP: freeing memory does not block schema changes and stops when the pool is
 * closed.
 */
@Timeout(180)
class DropTest {
  private static final long MINUTE = 60_000_000_000L;
  private static final int VERSIONS = 2;

  private Engine engine;
  private Catalog catalog;
  private StoreBuilder stores;
  private SchemaChanges changes;

  @BeforeEach
  void open() {
    engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(64L << 20));
    catalog = Catalog.create(engine);
    changes =
        new SchemaChanges(
            engine,
            catalog,
            new StatementPlanner(),
            List.of(),
            VERSIONS,
            new Findings(),
            Directories.SYSTEM);
    stores = changes.stores();
  }

  @AfterEach
  void close() {
    stores.close();
    catalog.close();
    engine.close();
  }

  private void run(String sql) {
    changes.run(
        SqlParsing.parseStatement(sql),
        CatalogState.PUBLIC,
        null,
        MINUTE,
        new CancellationToken(engine.environment()));
  }

  private Object table(String name) {
    return catalog.state().table(CatalogState.PUBLIC, name);
  }

  @Test
  void shouldLetSchemaChangeWhileMemoryIsFreed() throws InterruptedException {
    run("CREATE TABLE big (id INTEGER PRIMARY KEY)");
    long taken = engine.takenBytes();
    Thread dropping = new Thread(() -> run("DROP TABLE big"));
    stores.eraseLock().lock();
    try {
      dropping.start();
      while (!stores.eraseLock().hasQueuedThread(dropping)) {
        LockSupport.parkNanos(100_000);
      }
      assertNull(table("BIG"));
      assertTrue(catalog.changeLock().tryLock(1, TimeUnit.MINUTES));
      catalog.changeLock().unlock();
      assertTrue(dropping.isAlive(), "whoever drops waits until the memory is free");
    } finally {
      stores.eraseLock().unlock();
    }
    dropping.join();
    run("CREATE TABLE big (id INTEGER PRIMARY KEY)");
    assertNotNull(table("BIG"));
    assertEquals(taken, engine.takenBytes());
  }

  @Test
  void shouldNotFreeMemoryAfterPoolIsClosed() {
    run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
    long taken = engine.takenBytes();
    stores.close();
    run("DROP TABLE t");
    assertNull(table("T"));
    assertEquals(taken, engine.takenBytes());
  }
}
