package org.nelumbo.tpcc.engine;

import java.util.TimeZone;
import org.nelumbo.benchmark.cost.Cost;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyFormat;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.NativeSession;
import org.nelumbo.planner.NativeTable;
import org.nelumbo.tpcc.terminal.Costs;
import org.nelumbo.tpcc.terminal.TpccTerminal;

/**
 * A terminal's native session, and the few things its transactions do over and over: make keys, add
 * them to batches, insert rows. All primary keys of TPC-C are one to four integers.
 */
final class EngineSession implements TpccTerminal.Session {
  private static final TimeZone ZONE = TimeZone.getDefault();
  private static final long MICROS_PER_MILLI = 1_000;

  final Tables tables;
  final Transaction transaction;
  final KeyBuffer key = new KeyBuffer();
  private final NativeSession session;
  private final Isolation isolation;

  EngineSession(NativeSession session, Isolation isolation) {
    this.session = session;
    this.tables = new Tables(session);
    this.transaction = session.transaction();
    this.isolation = isolation;
  }

  void begin(boolean reads) {
    transaction.begin(isolation, reads);
  }

  /**
   * Goes on if the outcome is OK.
   *
   * @throws org.nelumbo.executor.error.NelumboException if the transaction failed
   * @throws IllegalStateException if a row that must be there is not, or the other way round
   */
  void ok(int status) {
    if (status == Transaction.OK) {
      return;
    }
    if (status == Transaction.NOT_FOUND || status == Transaction.DUPLICATE) {
      throw new IllegalStateException(
          status == Transaction.NOT_FOUND ? "a row is missing" : "a row is there already");
    }
    throw transaction.failure(status);
  }

  /** Now, as a TIMESTAMP column holds it: microseconds of the local date and time since 1970. */
  static long now() {
    long millis = System.currentTimeMillis();
    return (millis + ZONE.getOffset(millis)) * MICROS_PER_MILLI;
  }

  private KeyFormat begin(NativeTable table) {
    key.clear();
    return table.keyFormat();
  }

  private KeyBuffer complete(NativeTable table) {
    table.layout().finishKey(key);
    return key;
  }

  int add(PointBatch batch, NativeTable table, int mode, int first) {
    begin(table).appendLong(key, 0, first);
    return batch.add(table.store(), complete(table), mode);
  }

  int add(PointBatch batch, NativeTable table, int mode, int first, int second) {
    KeyFormat format = begin(table);
    format.appendLong(key, 0, first);
    format.appendLong(key, 1, second);
    return batch.add(table.store(), complete(table), mode);
  }

  int add(PointBatch batch, NativeTable table, int mode, int first, int second, int third) {
    appendThree(begin(table), first, second, third);
    return batch.add(table.store(), complete(table), mode);
  }

  int add(
      PointBatch batch, NativeTable table, int mode, int first, int second, int third, int fourth) {
    KeyFormat format = begin(table);
    appendThree(format, first, second, third);
    format.appendLong(key, 3, fourth);
    return batch.add(table.store(), complete(table), mode);
  }

  private void appendThree(KeyFormat format, int first, int second, int third) {
    format.appendLong(key, 0, first);
    format.appendLong(key, 1, second);
    format.appendLong(key, 2, third);
  }

  /** Locks and reads all keys of a batch. */
  void execute(PointBatch batch) {
    ok(batch.execute(LockTable.READ));
  }

  /** The row of key {@code i}, which must be there. */
  void row(PointBatch batch, int i, RowBuffer out) {
    if (!batch.found(i)) {
      throw new IllegalStateException("a row is missing");
    }
    batch.row(i, out);
  }

  /** Starts a scan of the rows whose key begins with two integers. */
  void scan(RangeScan scan, IndexStore index, KeyFormat format, int first, int second, Way way) {
    key.clear();
    format.appendLong(key, 0, first);
    format.appendLong(key, 1, second);
    ok(scan.openPrefix(index, key, way.ascending(), way.mode(), way.hint()));
  }

  /** The same with three. */
  void scan(
      RangeScan scan,
      IndexStore index,
      KeyFormat format,
      int first,
      int second,
      int third,
      Way way) {
    key.clear();
    appendThree(format, first, second, third);
    ok(scan.openPrefix(index, key, way.ascending(), way.mode(), way.hint()));
  }

  /** The next row of a scan; false at its end. */
  boolean next(RangeScan scan, RowBuffer out) {
    int status = scan.next(out);
    if (status == Transaction.NOT_FOUND) {
      return false;
    }
    ok(status);
    return true;
  }

  /**
   * How a scan goes.
   *
   * @param ascending its direction
   * @param mode of the locks on its rows
   * @param hint how many rows are expected
   */
  record Way(boolean ascending, int mode, int hint) {}

  @Override
  public Cost cost() {
    return Costs.of(session.counters());
  }

  @Override
  public void close() {
    session.close();
  }
}
