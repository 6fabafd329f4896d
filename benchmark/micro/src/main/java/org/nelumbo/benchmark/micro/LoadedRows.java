package org.nelumbo.benchmark.micro;

import java.util.List;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockMode;
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
 * A pool in memory with one table, whose rows have a BIGINT key and a fixed size: 16 bytes (a
 * BIGINT next to the key), or more (a BINARY). The loaded rows have the even keys from 0, so that
 * the odd keys are free for inserts between them. Used by one thread.
 */
final class LoadedRows implements AutoCloseable {
  static final int SMALL = 16;
  private static final int KEY_BYTES = 8;
  private static final int END_OFFSET_BYTES = 2;
  private static final int LOADED_TOGETHER = 500;
  private static final int VALUE = 1;
  private static final long SPARE_BYTES = 1L << 30;
  private static final long BYTES_PER_ROW = 1_000;

  final Engine engine;
  final Coordinator coordinator;
  final Transaction transaction;
  final TableStore table;
  final KeyBuffer key = new KeyBuffer();
  final RowBuffer row = new RowBuffer();
  private final RowWriter writer;
  private final byte[] filler;
  private final RowBuffer image = new RowBuffer();

  private LoadedRows(Fabric fabric, int rowBytes) {
    SystemEnvironment environment = new SystemEnvironment();
    PoolFormat.format(fabric, environment.randomLong());
    this.engine = new Engine(environment, fabric, EngineOptions.DEFAULT);
    engine.start();
    this.coordinator = engine.openCoordinator();
    this.transaction = coordinator.transaction();
    this.filler = rowBytes == SMALL ? null : new byte[rowBytes - KEY_BYTES - END_OFFSET_BYTES];
    this.table = engine.tables().create(coordinator, schema());
    this.writer = new RowWriter(table.layout());
  }

  /** Creates an empty pool with room for twice this number of rows. */
  static LocalFabric newFabric(int rows) {
    return new LocalFabric(SPARE_BYTES + 2 * BYTES_PER_ROW * rows);
  }

  /** Loads a table of {@code count} rows on a fabric that is closed with it. */
  static LoadedRows load(Fabric fabric, int rowBytes, int count) {
    LoadedRows loadedRows = new LoadedRows(fabric, rowBytes);
    for (int from = 0; from < count; from += LOADED_TOGETHER) {
      loadedRows.transaction.begin(Isolation.SERIALIZABLE, false);
      for (int i = from; i < Math.min(count, from + LOADED_TOGETHER); i++) {
        loadedRows.insert(loadedKey(i));
      }
      check(loadedRows.transaction.commit());
    }
    return loadedRows;
  }

  static LoadedRows load(int rowBytes, int count) {
    return load(newFabric(count), rowBytes, count);
  }

  private TableSchema schema() {
    ColumnType number = ColumnType.of(Kind.BIGINT).withNullable(false);
    ColumnType value =
        filler == null ? number : ColumnType.of(Kind.BINARY, filler.length).withNullable(false);
    return new TableSchema(
        1,
        "T",
        List.of(new Column("ID", number), new Column("VALUE", value)),
        new int[] {0},
        0,
        2,
        true,
        List.of());
  }

  /** Returns the key of the loaded row {@code i}. */
  static long loadedKey(long i) {
    return 2 * i;
  }

  /** Returns a key that does not exist, between those of rows {@code i} and {@code i + 1}. */
  static long freeKey(long i) {
    return 2 * i + 1;
  }

  /** Throws an exception, which ends the benchmark, unless the outcome is OK. */
  static void check(Outcome status) {
    if (status != Outcome.OK) {
      throw new IllegalStateException("status=" + status);
    }
  }

  /** Sets {@link #key} to the key of that row. */
  void key(long id) {
    key.clear();
    table.layout().keyFormat().appendLong(key, 0, id);
    table.layout().finishKey(key);
  }

  void insert(long id) {
    writer.begin();
    writer.setLong(0, id);
    if (filler == null) {
      writer.setLong(VALUE, id);
    } else {
      writer.setObject(VALUE, filler);
    }
    writer.finish(key, image);
    check(transaction.insert(table, key, image));
  }

  void delete(long id) {
    key(id);
    check(transaction.delete(table, key));
  }

  /** Reads a row by its key, within the transaction. */
  RowBuffer get(long id) {
    key(id);
    check(transaction.get(table, key, LockMode.READ, row));
    return row;
  }

  /** Returns the image of a row whose value is changed by {@code by}; for rows of 16 bytes. */
  RowBuffer changed(RowBuffer from, long by) {
    writer.beginFrom(from.bytes, from.offset, from.length);
    writer.setLong(VALUE, table.layout().getLong(from.bytes, from.offset, VALUE) + by);
    writer.finish(key, image);
    return image;
  }

  /**
   * Runs one empty transaction per deleted row, so that the garbage collection removes these rows.
   */
  void collect(int deleted) {
    for (int i = 0; i < deleted; i++) {
      transaction.begin(Isolation.SERIALIZABLE, false);
      transaction.commit();
    }
  }

  @Override
  public void close() {
    coordinator.close();
    engine.close();
  }
}
