package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.MemoryReserve;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.recovery.TablePreparation;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog table of a pool, which maps (kind, id) to bytes. It is an ordinary table, so
 * definitions are as durable as data. Each change is one transaction. Thread-safe.
 */
final class CatalogStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogStore.class);

  static final int TABLE_ID = 1;

  /** The first id of tables and indexes. */
  static final int FIRST_ID = 16;

  /** Kinds of rows. */
  static final int SCHEMA = 1;

  static final int TABLE = 2;

  /** The next number of an identity column or a sequence, by sequence id. */
  static final int SEQUENCE = 3;

  static final int VIEW = 4;
  static final int SEQUENCE_DEFINITION = 5;

  /** The comment of a schema, by schema id. */
  static final int SCHEMA_COMMENT = 6;

  /**
   * Size of the reserve, which allows a definition to be written in a full pool, as DROP INDEX and
   * TRUNCATE must.
   */
  private static final int RESERVE_BLOCK_BYTES = 4 << 10;

  private static final int RESERVE_BLOCKS = 8;

  /** Longer than the recovery of a failed compute node takes. */
  private static final long PATIENCE_NANOS = 60_000_000_000L;

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
  private final RowBuffer old = new RowBuffer();

  /**
   * Set once a commit has started, until it is refused: an exception now leaves its outcome
   * unknown.
   */
  private boolean committing;

  /** One row of the catalog table. */
  record Row(int kind, int id, byte[] data) {}

  private CatalogStore(Engine engine, Coordinator coordinator, TableStore table) {
    this.engine = engine;
    this.coordinator = coordinator;
    this.reserve = new MemoryReserve(coordinator, RESERVE_BLOCK_BYTES, RESERVE_BLOCKS);
    this.table = table;
    this.writer = new RowWriter(table.layout());
  }

  /** Creates the catalog table in a new pool. */
  static CatalogStore create(Engine engine) {
    Coordinator coordinator = engine.openCoordinator();
    return new CatalogStore(engine, coordinator, engine.tables().create(coordinator, schema()));
  }

  /** Opens the catalog table of an existing pool. */
  static CatalogStore open(
      Engine engine, TableStore.TableRoots roots, TablePreparation preparation) {
    TableStore table = engine.tables().open(schema(), roots, List.of(), List.of());
    preparation.recoverCatalogue(table);
    return new CatalogStore(engine, engine.openCoordinator(), table);
  }

  static TableSchema schema() {
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

  TableStore table() {
    return table;
  }

  /** Inserts or updates a row. */
  void put(int kind, int id, byte[] data) {
    run(transaction -> write(transaction, kind, id, find(transaction, kind, id), data));
  }

  /** Inserts or updates rows in one transaction. */
  void put(List<Row> rows) {
    run(
        transaction -> {
          Outcome status = Outcome.OK;
          for (int i = 0; i < rows.size() && status == Outcome.OK; i++) {
            Row row = rows.get(i);
            Outcome found = find(transaction, row.kind(), row.id());
            status = write(transaction, row.kind(), row.id(), found, row.data());
          }
          return status;
        });
  }

  /**
   * Changes the row of a sequence in one transaction.
   *
   * @param missing the assumed content if the row does not exist
   * @return the previous content
   */
  SequenceRow update(int id, SequenceRow missing, UnaryOperator<SequenceRow> change) {
    SequenceRow[] before = new SequenceRow[1];
    run(
        transaction -> {
          Outcome status = find(transaction, SEQUENCE, id);
          before[0] = status == Outcome.OK ? SequenceRow.decode(data(old)) : missing;
          return status == Outcome.OK || status == Outcome.NOT_FOUND
              ? write(transaction, SEQUENCE, id, status, change.apply(before[0]).encode())
              : status;
        });
    return before[0];
  }

  private Outcome find(Transaction transaction, int kind, int id) {
    setKey(kind, id);
    return transaction.get(table, key, LockMode.WRITE, old);
  }

  /** Writes a row after {@link #find}, whose outcome decides between insert and update. */
  private Outcome write(Transaction transaction, int kind, int id, Outcome found, byte[] data) {
    writer.begin();
    writer.setLong(KIND_COLUMN, kind);
    writer.setLong(ID_COLUMN, id);
    writer.setObject(DATA_COLUMN, data);
    writer.finish(key, image);
    return switch (found) {
      case OK -> transaction.update(table, key, image);
      case NOT_FOUND -> transaction.insert(table, key, image);
      default -> found;
    };
  }

  private void setKey(int kind, int id) {
    key.clear();
    table.layout().keyFormat().appendLong(key, 0, kind);
    table.layout().keyFormat().appendLong(key, 1, id);
    table.layout().finishKey(key);
  }

  /** Removes a row if it exists. */
  void remove(int kind, int id) {
    run(
        transaction -> {
          setKey(kind, id);
          Outcome status = transaction.delete(table, key);
          return status == Outcome.NOT_FOUND ? Outcome.OK : status;
        });
  }

  /**
   * Returns all rows, ordered by kind, in one consistent snapshot.
   *
   * @param isolation SNAPSHOT does not block other transactions; it needs a clock that covers all
   *     commits
   */
  List<Row> rows(Isolation isolation) {
    List<Row> rows = new ArrayList<>();
    run(
        isolation,
        transaction -> {
          rows.clear();
          TableScan scan = transaction.newTableScan();
          Outcome status = scan.open(table, LockMode.READ);
          while (status == Outcome.OK) {
            status = scan.next(image);
            if (status == Outcome.OK) {
              rows.add(row(table.layout(), image.bytes, image.offset));
            }
          }
          scan.close();
          return status == Outcome.NOT_FOUND ? Outcome.OK : status;
        });
    return rows;
  }

  private byte[] data(RowBuffer row) {
    return (byte[]) table.layout().getObject(row.bytes, row.offset, DATA_COLUMN);
  }

  /** Returns a timestamp that is not less than that of any earlier commit. */
  long readClock() {
    lock.lock();
    try {
      return engine.clock().barrier(coordinator.channel(), engine.environment());
    } finally {
      lock.unlock();
    }
  }

  /** Decodes the image of a row. */
  static Row row(RowLayout layout, byte[] bytes, int offset) {
    return new Row(
        (int) layout.getLong(bytes, offset, KIND_COLUMN),
        (int) layout.getLong(bytes, offset, ID_COLUMN),
        (byte[]) layout.getObject(bytes, offset, DATA_COLUMN));
  }

  @FunctionalInterface
  private interface Body {
    Outcome run(Transaction transaction);
  }

  private void run(Body body) {
    run(Isolation.SERIALIZABLE, body);
  }

  /**
   * An exception after the start of the commit stops the engine, because the commit may have
   * happened.
   */
  private void run(Isolation isolation, Body body) {
    lock.lock();
    try {
      committing = false;
      runLocked(isolation, body);
    } catch (RuntimeException | Error e) {
      if (committing) {
        engine.stop(e);
      }
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private void runLocked(Isolation isolation, Body body) {
    try {
      Outcome status = attempt(isolation, body);
      if (status == Outcome.EXHAUSTED && reserve.release()) {
        status = attempt(isolation, body);
      }
      if (status != Outcome.OK) {
        throw coordinator.transaction().failure(status);
      }
    } finally {
      refill();
    }
  }

  /**
   * The outcome of the change is already known and must not be hidden, so exceptions are only
   * logged.
   */
  private void refill() {
    try {
      reserve.fill();
    } catch (RuntimeException | Error e) {
      LOG.debug("the memory reserve of the catalog is filled later", e);
    }
  }

  private Outcome attempt(Isolation isolation, Body body) {
    long start = engine.environment().nanoTime();
    for (int attempt = 0; ; attempt++) {
      Outcome status = attemptOnce(isolation, body);
      boolean isInTheWay = status == Outcome.CONFLICT || status == Outcome.TOO_OLD;
      if (!isInTheWay || engine.environment().nanoTime() - start > PATIENCE_NANOS) {
        return status;
      }
      engine.environment().backoff(attempt);
    }
  }

  private Outcome attemptOnce(Isolation isolation, Body body) {
    Transaction transaction = coordinator.transaction();
    transaction.begin(isolation, isolation == Isolation.SNAPSHOT);
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

  /** Releases the coordinator without touching the memory of the pool. */
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
    try (coordinator) {
      reserve.release();
    } finally {
      lock.unlock();
    }
  }
}
