package org.nelumbo.simulation.scale;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockCounts;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.InsertBatch;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.fabric.CpuModel;
import org.nelumbo.simulation.fabric.SimPool;
import org.nelumbo.simulation.world.FifoServer;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A client of a mix. It reads rows in batches, as LOTUS does ("add to the read set, add to the
 * write set, execute"), changes them, and inserts rows in batches. For one thread.
 */
final class MixSession implements AutoCloseable {
  private static final int LOADED_TOGETHER = 64;
  private static final long CACHED_NANOS = 100;

  private final Coordinator coordinator;
  private final Transaction transaction;
  private final MixTables tables;
  private final RowWriter[] writers;
  private final PointBatch gets;
  private final InsertBatch inserts;
  private final RangeScan scan;
  private final ScanRange range = new ScanRange();
  private final KeyBuffer key = new KeyBuffer();
  private final KeyBuffer low = new KeyBuffer();
  private final RowBuffer row = new RowBuffer();
  private final RowBuffer image = new RowBuffer();
  private final List<long[]> wanted = new ArrayList<>();
  private final SimWorld world;
  private final CpuModel cpu;

  /** Virtual time at which the transaction began. */
  private long begun;

  MixSession(Engine engine, MixTables tables, SimWorld world, SimPool pool) {
    this.world = world;
    this.cpu = pool.model().cpu();
    this.coordinator = engine.openCountingCoordinator();
    this.transaction = coordinator.transaction();
    this.tables = tables;
    this.gets = transaction.newPointBatch();
    this.inserts = transaction.newInsertBatch();
    this.scan = transaction.newRangeScan();
    this.writers = new RowWriter[tables.stores().size()];
    for (int table = 0; table < writers.length; table++) {
      writers[table] = new RowWriter(tables.store(table).layout());
    }
  }

  /** Returns the number of round trips to memory nodes so far. */
  long roundTrips() {
    return coordinator.counters().roundTrips();
  }

  /** Returns the lock counts so far. */
  LockCounts locks() {
    return transaction.lockCounts();
  }

  void begin(boolean readOnly) {
    begun = world.now();
    charge(cpu.transaction());
    transaction.begin(Isolation.SERIALIZABLE, readOnly);
    clear();
  }

  /** Begins a transaction that calls {@link #read} once. */
  void beginSingleRead() {
    begun = world.now();
    charge(cpu.transaction());
    transaction.beginSingleRead(Isolation.SERIALIZABLE);
    clear();
  }

  private void clear() {
    gets.clear();
    inserts.clear();
    wanted.clear();
  }

  private void image(int table, long home, long id, long value) {
    RowWriter writer = writers[table];
    writer.begin();
    writer.setLong(MixTables.HOME, home);
    writer.setLong(MixTables.ID, id);
    writer.setLong(MixTables.VAL, value);
    writer.setObject(MixTables.TXT, tables.text(table));
    writer.finish(key, image);
  }

  private static void check(Outcome status, Outcome alsoFine) throws MixConflict {
    if (status != Outcome.OK && status != alsoFine) {
      throw new MixConflict(status);
    }
  }

  /** Adds a row to the next batch of reads; returns its index. */
  int add(int table, long home, long id, boolean forUpdate) {
    image(table, home, id, 0);
    wanted.add(new long[] {table, home, id});
    return gets.add(tables.store(table), key, forUpdate ? LockMode.WRITE : LockMode.READ);
  }

  /** Reads the rows added since the last call. */
  void read() throws MixConflict {
    charge(wanted.size() * cpu.row());
    check(gets.execute(LockMode.READ), Outcome.OK);
  }

  /** Returns true if a row exists. */
  boolean isFound(int number) {
    return gets.found(number);
  }

  long value(int number) {
    gets.row(number, row);
    TableStore store = tables.store((int) wanted.get(number)[0]);
    return store.layout().getLong(row.bytes, row.offset, MixTables.VAL);
  }

  /** Updates a row that was read for update. */
  void set(int number, long value) throws MixConflict {
    long[] what = wanted.get(number);
    image((int) what[0], what[1], what[2], value);
    check(gets.update(number, image), Outcome.OK);
  }

  /** Deletes a row that was read for update. */
  void delete(int number) throws MixConflict {
    check(gets.delete(number), Outcome.OK);
  }

  /** Begins another batch of reads. */
  void next() {
    gets.clear();
    wanted.clear();
  }

  /** Adds a row to the batch of inserts. */
  void insert(int table, long home, long id, long value) {
    image(table, home, id, value);
    inserts.add(tables.store(table), key, image);
  }

  /** Adds a row to the batch of inserts, and executes a full batch. */
  void load(int table, long home, long id, long value) throws MixConflict {
    insert(table, home, id, value);
    if (inserts.size() == LOADED_TOGETHER) {
      flush();
    }
  }

  /** Inserts the rows of the batch. */
  void flush() throws MixConflict {
    if (inserts.size() > 0) {
      charge(inserts.size() * cpu.row());
      check(inserts.execute(), Outcome.OK);
      inserts.clear();
    }
  }

  /** Inserts one row; returns false if it exists. */
  boolean insertAlone(int table, long home, long id, long value) throws MixConflict {
    charge(cpu.row());
    image(table, home, id, value);
    Outcome status = transaction.insert(tables.store(table), key, image);
    check(status, Outcome.DUPLICATE);
    return status == Outcome.OK;
  }

  /** Returns the ids of a home's rows in a range, up to a limit. */
  List<Long> scan(int table, long home, long from, long to, int limit, boolean forUpdate)
      throws MixConflict {
    TableStore store = tables.store(table);
    image(table, home, from, 0);
    low.copyFrom(key);
    image(table, home, to, 0);
    LockMode mode = forUpdate ? LockMode.WRITE : LockMode.READ;
    List<Long> ids = new ArrayList<>();
    Outcome status =
        scan.open(
            range
                .closed(store.primary(), low, key)
                .direction(ScanDirection.ASCENDING)
                .lockMode(mode)
                .rowsHint(limit));
    while (status == Outcome.OK && ids.size() < limit && (status = scan.next(row)) == Outcome.OK) {
      ids.add(store.layout().getLong(row.bytes, row.offset, MixTables.ID));
    }
    scan.close();
    charge(ids.size() * cpu.row());
    check(status, Outcome.NOT_FOUND);
    return ids;
  }

  void commit() throws MixConflict {
    check(transaction.commit(), Outcome.OK);
  }

  void abort() {
    transaction.abort();
  }

  /** Adds work to the processor of this client; later work waits for it. */
  private void charge(long nanos) {
    FifoServer processor = world.current().processor();
    if (processor != null) {
      processor.work(world.now(), nanos);
    }
  }

  /**
   * Waits until the processor has done all work of a transaction. Without a processor, a
   * transaction that reads caches only takes no time; it waits a little, so that time goes on.
   */
  void awaitProcessor() {
    long now = world.now();
    FifoServer processor = world.current().processor();
    if (processor != null) {
      world.sleepUntil(now + processor.work(now, 0));
    } else if (now == begun) {
      world.sleepUntil(now + CACHED_NANOS);
    }
  }

  /** Returns the lock key of a home's rows, which determines their shard. */
  long lockKey(long home) {
    image(0, home, 0, 0);
    return key.lotusKey;
  }

  @Override
  public void close() {
    coordinator.close();
  }
}
