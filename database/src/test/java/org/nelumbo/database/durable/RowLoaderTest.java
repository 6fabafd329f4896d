package org.nelumbo.database.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Loads the rows of a log into a local (false) or remote (true) pool: the last image of each row is
 * the valid one.
 */
@Timeout(60)
class RowLoaderTest {
  private static final long BYTES = 64L << 20;
  private static final int TABLES = 2;
  private static final int IDS = 60;

  /** Identifier of the first store in the log; the tables in the pool have other identifiers. */
  private static final int FIRST_STORE = 100;

  private final AtomicLong flushes = new AtomicLong();

  /** Expected values, by table and id. */
  private final Map<String, Long> wanted = new TreeMap<>();

  private final KeyBuffer key = new KeyBuffer();
  private final RowBuffer image = new RowBuffer();

  private Engine engine;
  private final Map<Integer, TableStore> stores = new TreeMap<>();

  /** A fabric that counts flushes. */
  private final class Watched extends ForwardingFabric {
    private final boolean distant;

    Watched(Fabric fabric, boolean distant) {
      super(fabric);
      this.distant = distant;
    }

    @Override
    public boolean isRemote() {
      return distant;
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      return new ForwardingChannel(fabric.openChannel(stagingBytes)) {
        @Override
        public void flush() {
          flushes.incrementAndGet();
          channel.flush();
        }
      };
    }
  }

  private void open(boolean distant) {
    Fabric fabric = new Watched(new LocalFabric(BYTES), distant);
    PoolFormat.format(fabric, 1);
    engine =
        new Engine(new SystemEnvironment(), fabric, EngineOptions.DEFAULT.withMemoryBytes(BYTES));
    try (Coordinator coordinator = engine.openCoordinator()) {
      for (int i = 0; i < TABLES; i++) {
        stores.put(FIRST_STORE + i, engine.tables().create(coordinator, schema(7 + i, i == 0)));
      }
    }
  }

  private static TableSchema schema(int id, boolean ordered) {
    return new TableSchema(
        id,
        "T" + id,
        List.of(
            new Column("ID", ColumnType.of(Kind.BIGINT).withNullable(false)),
            new Column("V", ColumnType.of(Kind.BIGINT).withNullable(false))),
        new int[] {0},
        0,
        2,
        ordered,
        List.of());
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private RowLoader loader(int own, int loaders) {
    CancellationToken never = new CancellationToken(engine.environment());
    return new RowLoader(engine, stores, own, loaders, never);
  }

  private void put(RowLoader loader, int table, long id, long value) {
    wanted.put(table + " " + id, value);
    send(loader, table, id, value, false);
  }

  private void delete(RowLoader loader, int table, long id) {
    wanted.remove(table + " " + id);
    send(loader, table, id, 0, true);
  }

  private void send(RowLoader loader, int table, long id, long value, boolean isDeleted) {
    build(table, id, value);
    int length = isDeleted ? key.length : image.length;
    byte[] bytes = new byte[3 + length];
    System.arraycopy(image.bytes, image.offset, bytes, 3, length);
    loader.row(FIRST_STORE + table, bytes, 3, key.length, length, isDeleted);
  }

  private void build(int table, long id, long value) {
    RowWriter writer = new RowWriter(stores.get(FIRST_STORE + table).layout());
    writer.begin();
    writer.setLong(0, id);
    writer.setLong(1, value);
    writer.finish(key, image);
  }

  private void verify() {
    Map<String, Long> found = new TreeMap<>();
    try (Coordinator coordinator = engine.openCoordinator()) {
      Transaction transaction = coordinator.transaction();
      transaction.begin(Isolation.SNAPSHOT, true);
      RowBuffer row = new RowBuffer();
      for (int table = 0; table < TABLES; table++) {
        TableStore store = stores.get(FIRST_STORE + table);
        for (long id = 0; id < IDS; id++) {
          build(table, id, 0);
          if (transaction.get(store, key, LockMode.READ, row) == Outcome.OK) {
            found.put(table + " " + id, store.layout().getLong(row.bytes, row.offset, 1));
          }
        }
      }
      transaction.abort();
    }
    assertEquals(wanted, found);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepLastImageOfEachRowInBatch(boolean distant) {
    open(distant);
    try (RowLoader loader = loader(0, 1)) {
      put(loader, 0, 1, 10);
      put(loader, 1, 1, 11); // another table
      put(loader, 0, 1, 12);
      put(loader, 0, 2, 20);
      delete(loader, 0, 2);
      delete(loader, 0, 3);
      put(loader, 0, 3, 30);
      delete(loader, 0, 4);
      put(loader, 0, 5, 50);
      delete(loader, 0, 5);
      put(loader, 0, 5, 51);
      loader.flush();
      verify();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldChangeAndDeleteRowsThatCameBefore(boolean distant) {
    open(distant);
    try (RowLoader loader = loader(0, 1)) {
      for (int id = 0; id < 6; id++) {
        put(loader, 0, id, id);
        put(loader, 1, id, id);
      }
      loader.flush();
      put(loader, 0, 1, 10);
      put(loader, 0, 1, 11);
      delete(loader, 0, 2);
      put(loader, 0, 3, 30);
      delete(loader, 0, 3);
      delete(loader, 0, 4);
      put(loader, 0, 4, 40);
      put(loader, 0, 7, 70);
      loader.flush();
      verify();
      put(loader, 0, 2, 21); // a deleted row
      put(loader, 0, 3, 31);
      delete(loader, 0, 7);
      loader.flush();
      verify();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepLastImagesOfRandomChanges(boolean distant) {
    open(distant);
    SplittableRandom random = new SplittableRandom(16);
    try (RowLoader one = loader(0, 2);
        RowLoader other = loader(1, 2)) {
      for (int i = 0; i < 5000; i++) {
        int table = random.nextInt(TABLES);
        long id = random.nextInt(IDS);
        for (RowLoader each : List.of(one, other)) {
          if (i % 3 == 0) {
            delete(each, table, id);
          } else {
            put(each, table, id, i);
          }
        }
      }
      one.flush();
      other.flush();
    }
    verify();
  }

  @ParameterizedTest
  @ValueSource(booleans = true)
  void shouldShareTheRoundTripsOfManyRows(boolean distant) {
    open(distant);
    try (RowLoader loader = loader(0, 1)) {
      long before = flushes.get();
      for (int id = 0; id < IDS; id++) {
        put(loader, 0, id, id);
      }
      loader.flush();
      long some = flushes.get() - before;
      assertTrue(some < IDS / 2, "round trips=" + some);
      for (int id = 0; id < IDS; id++) {
        put(loader, 0, id, -id);
      }
      loader.flush();
      long others = flushes.get() - before - some;
      assertTrue(others < IDS / 2, "round trips=" + others);
    }
    verify();
  }
}
