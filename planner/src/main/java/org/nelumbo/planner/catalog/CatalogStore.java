package org.nelumbo.planner.catalog;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.MemoryReserve;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.recovery.PoolRecovery;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.Kind;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalogue's own table in the pool: (kind, id) to bytes. It is a table like any other, so
 * definitions are as safe as data. Each change is one transaction. Thread-safe.
 */
final class CatalogStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogStore.class);

  static final int TABLE_ID = 1;

  /** Ids of tables and indexes begin here. */
  static final int FIRST_ID = 16;

  /** Kinds of rows. */
  static final int SCHEMA = 1;

  static final int TABLE = 2;

  /** The next number of an identity column or a sequence, by the id of the table or sequence. */
  static final int SEQUENCE = 3;

  static final int VIEW = 4;
  static final int SEQUENCE_DEFINITION = 5;

  /** The comment of a schema, by the schema's id. */
  static final int SCHEMA_COMMENT = 6;

  /** Enough to write a definition when the pool is full, as DROP INDEX and TRUNCATE have to. */
  private static final int RESERVE_BLOCK_BYTES = 4 << 10;

  private static final int RESERVE_BLOCKS = 8;
  private static final int KIND_COLUMN = 0;
  private static final int ID_COLUMN = 1;
  private static final int DATA_COLUMN = 2;

  private final ReentrantLock lock = new ReentrantLock();
  private final Engine engine;
  private final Coordinator coordinator;
  private final MemoryReserve reserve;
  private final TableStore table;
  private final RowWriter writer;
  private final KeyBuffer key = new KeyBuffer();
  private final RowBuffer image = new RowBuffer();

  /** A commit has begun, and has not been refused: what is thrown now hides what became of it. */
  private boolean committing;

  /** Receives the rows of {@link #load}. */
  @FunctionalInterface
  interface Visitor {
    void visit(int kind, int id, byte[] data);
  }

  private CatalogStore(Engine engine, Coordinator coordinator, TableStore table) {
    this.engine = engine;
    this.coordinator = coordinator;
    this.reserve = new MemoryReserve(coordinator, RESERVE_BLOCK_BYTES, RESERVE_BLOCKS);
    this.table = table;
    this.writer = new RowWriter(table.layout());
  }

  /** The catalogue's table in a new pool. */
  static CatalogStore create(Engine engine) {
    Coordinator coordinator = engine.openCoordinator();
    return new CatalogStore(engine, coordinator, engine.tables().create(coordinator, schema()));
  }

  /** The catalogue's table in a pool that has one. */
  static CatalogStore open(Engine engine, TableStore.TableRoots roots, PoolRecovery recovery) {
    TableStore table = engine.tables().open(schema(), roots, List.of(), List.of());
    recovery.recoverCatalogue(table);
    return new CatalogStore(engine, engine.openCoordinator(), table);
  }

  private static TableSchema schema() {
    List<Column> columns =
        List.of(
            new Column("KIND", ColumnType.of(Kind.INTEGER)),
            new Column("ID", ColumnType.of(Kind.INTEGER)),
            new Column("DATA", ColumnType.of(Kind.VARBINARY)));
    return new TableSchema(
        TABLE_ID,
        "CATALOG",
        columns,
        new int[] {KIND_COLUMN, ID_COLUMN},
        ID_COLUMN,
        2,
        true,
        List.of());
  }

  TableStore.TableRoots roots() {
    return new TableStore.TableRoots(table.hashRoot(), table.primary().root());
  }

  /** Writes a row, new or not. */
  void put(int kind, int id, byte[] data) {
    run(
        transaction -> {
          writer.begin();
          writer.setLong(KIND_COLUMN, kind);
          writer.setLong(ID_COLUMN, id);
          writer.setObject(DATA_COLUMN, data);
          writer.finish(key, image);
          RowBuffer old = new RowBuffer();
          Outcome status = transaction.get(table, key, LockTable.WRITE, old);
          if (status == Outcome.OK) {
            status = transaction.update(table, key, image);
          } else if (status == Outcome.NOT_FOUND) {
            status = transaction.insert(table, key, image);
          }
          return status;
        });
  }

  /** Removes a row if it is there. */
  void remove(int kind, int id) {
    run(
        transaction -> {
          key.clear();
          table.layout().keyFormat().appendLong(key, 0, kind);
          table.layout().keyFormat().appendLong(key, 1, id);
          table.layout().finishKey(key);
          Outcome status = transaction.delete(table, key);
          return status == Outcome.NOT_FOUND ? Outcome.OK : status;
        });
  }

  /** Reads all rows, in order of kinds. */
  void load(Visitor visitor) {
    run(
        transaction -> {
          TableScan scan = transaction.newTableScan();
          Outcome status = scan.open(table, LockTable.READ);
          while (status == Outcome.OK) {
            status = scan.next(image);
            if (status == Outcome.OK) {
              visitor.visit(
                  (int) table.layout().getLong(image.bytes, image.offset, KIND_COLUMN),
                  (int) table.layout().getLong(image.bytes, image.offset, ID_COLUMN),
                  (byte[]) table.layout().getObject(image.bytes, image.offset, DATA_COLUMN));
            }
          }
          scan.close();
          return status == Outcome.NOT_FOUND ? Outcome.OK : status;
        });
  }

  /** What a transaction does; returns its outcome. */
  @FunctionalInterface
  private interface Body {
    Outcome run(Transaction transaction);
  }

  /** What is thrown when a commit may have happened stops the engine. */
  private void run(Body body) {
    lock.lock();
    try {
      committing = false;
      runLocked(body);
    } catch (RuntimeException | Error e) {
      if (committing) {
        engine.stop(e);
      }
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private void runLocked(Body body) {
    try {
      Outcome status = attempt(body);
      if (status == Outcome.EXHAUSTED && reserve.release()) {
        status = attempt(body);
      }
      if (status != Outcome.OK) {
        throw coordinator.transaction().failure(status);
      }
    } finally {
      refill();
    }
  }

  /** What the change came to is known by then, so nothing that is thrown here may hide it. */
  private void refill() {
    try {
      reserve.fill();
    } catch (RuntimeException | Error e) {
      LOG.debug("the catalogue's memory reserve is filled later", e);
    }
  }

  private Outcome attempt(Body body) {
    Transaction transaction = coordinator.transaction();
    transaction.begin(Isolation.SERIALIZABLE, false);
    try {
      Outcome status = body.run(transaction);
      if (status == Outcome.OK) {
        committing = true;
        status = transaction.commit();
        committing = status == Outcome.OK;
      }
      return status;
    } finally {
      transaction.abort();
    }
  }

  /** Lets go of the pool's memory without touching it. */
  void abandon() {
    lock.lock();
    try {
      coordinator.abandon();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      reserve.release();
      coordinator.close();
    } finally {
      lock.unlock();
    }
  }
}
