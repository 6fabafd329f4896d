package org.nelumbo.database.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.database.check.Findings;
import org.nelumbo.dm.disk.Directories;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.litmus.InterceptedChannel;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.physical.StatementPlanner;

/**
 * Throws errors at each point of a schema change. Afterwards the change was made and succeeded, or
 * was not made and failed, or the engine has stopped.
 */
@Timeout(180)
class ThrowingSchemaChangeTest {
  private static final long MINUTE = 60_000_000_000L;
  private static final long BYTES = 64L << 20;
  private static final int VERSIONS = 2;
  private static final int PLACES = 24;

  /** A fabric that throws when a verb is posted, or before or after a flush. */
  private static final class ThrowingFabric extends ForwardingFabric {
    private long left = Long.MAX_VALUE;
    private long places;

    ThrowingFabric(LocalFabric pool) {
      super(pool);
    }

    private void place() {
      places++;
      if (left-- == 0) {
        throw new OutOfMemoryError("place " + places);
      }
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      return new InterceptedChannel(fabric.openChannel(stagingBytes)) {
        @Override
        protected void post(long address, Runnable verb) {
          place();
          verb.run();
        }

        @Override
        public void flush() {
          place();
          channel.flush();
          place();
        }
      };
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE u (id INTEGER PRIMARY KEY, v INTEGER UNIQUE)",
        "CREATE INDEX other ON t (v)",
        "TRUNCATE TABLE t",
        "DROP INDEX one",
        "DROP TABLE t",
        "CREATE SCHEMA s",
        "COMMENT ON COLUMN t.v IS 'x'",
        "ALTER TABLE t ADD COLUMN w INTEGER DEFAULT 1, ADD CONSTRAINT c UNIQUE (v), RENAME COLUMN v"
            + " TO x",
        "ALTER TABLE t DROP PRIMARY KEY"
      })
  void shouldBeMadeOrRefused(String statement) {
    long places = run(statement, Long.MAX_VALUE);
    assertTrue(places > 0);
    for (int i = 0; i < PLACES; i++) {
      run(statement, places * i / PLACES);
    }
  }

  /** Runs a statement that fails at the given point, and returns the number of such points. */
  private static long run(String statement, long place) {
    Environment environment = new SystemEnvironment();
    LocalFabric pool = new LocalFabric(BYTES, environment);
    PoolFormat.format(pool, environment.randomLong());
    ThrowingFabric fabric = new ThrowingFabric(pool);
    Engine engine = new Engine(environment, fabric, EngineOptions.DEFAULT.withMemoryBytes(BYTES));
    Catalog catalog = Catalog.create(engine);
    SchemaChanges changes =
        new SchemaChanges(
            engine,
            catalog,
            new StatementPlanner(),
            List.of(),
            VERSIONS,
            new Findings(),
            Directories.SYSTEM);
    run(engine, changes, "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)");
    run(engine, changes, "CREATE INDEX one ON t (v)");
    long changesBefore = catalog.changes();
    long placesBefore = fabric.places;
    boolean thrown = false;
    fabric.left = place;
    try {
      run(engine, changes, statement);
    } catch (RuntimeException | Error e) {
      thrown = true;
    }
    final long places = fabric.places - placesBefore;
    fabric.left = Long.MAX_VALUE;
    if (!engine.isStopped()) {
      assertEquals(
          thrown, catalog.changes() == changesBefore, () -> statement + " at place " + place);
      run(engine, changes, "CREATE TABLE next (id INTEGER PRIMARY KEY)");
      run(engine, changes, "DROP TABLE IF EXISTS t");
      run(engine, changes, "CREATE TABLE t (id INTEGER PRIMARY KEY)");
    }
    changes.abandon();
    catalog.abandon();
    engine.leavePool();
    pool.close();
    return places;
  }

  private static void run(Engine engine, SchemaChanges changes, String sql) {
    changes.run(
        SqlParsing.parseStatement(sql),
        CatalogState.PUBLIC,
        null,
        MINUTE,
        new CancellationToken(engine.environment()));
  }
}
