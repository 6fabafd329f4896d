package org.nelumbo.benchmark.nativeapi;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.TimeZone;
import org.nelumbo.benchmark.cost.Cost;
import org.nelumbo.benchmark.terminal.TerminalSession;
import org.nelumbo.database.Database;
import org.nelumbo.database.NativeSession;
import org.nelumbo.database.NativeTable;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyFormat;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;

/**
 * A terminal's native session, with the common operations of its transactions: building keys,
 * adding them to batches, reading scans. Used by one thread at a time.
 */
public class NativeApiSession implements TerminalSession {
  private static final TimeZone ZONE = TimeZone.getDefault();
  private static final long MICROS_PER_MILLI = 1_000;

  /** The transaction object of the session, reused for each transaction. */
  public final Transaction transaction;

  /** A buffer for keys that are used at once. */
  public final KeyBuffer key = new KeyBuffer();

  private final NativeSession session;
  private final Isolation isolation;

  /**
   * Opens a native session of the connection's database, at the connection's isolation level.
   *
   * @throws SQLException if the session cannot be opened
   */
  public NativeApiSession(Connection connection) throws SQLException {
    this.isolation =
        connection.getTransactionIsolation() == Connection.TRANSACTION_SERIALIZABLE
            ? Isolation.SERIALIZABLE
            : Isolation.SNAPSHOT;
    try {
      this.session = connection.unwrap(Database.class).openNative();
    } catch (NelumboException e) {
      throw new SQLException(e.getMessage(), e.sqlState(), e);
    }
    this.transaction = session.transaction();
  }

  /** Returns a table of schema PUBLIC. */
  public final NativeTable table(String name) {
    return session.table(name);
  }

  /**
   * Begins a transaction.
   *
   * @param reads true if the transaction only reads
   */
  public final void begin(boolean reads) {
    transaction.begin(isolation, reads);
  }

  /**
   * Returns if the outcome is OK.
   *
   * @throws org.nelumbo.error.NelumboException if the transaction failed
   * @throws IllegalStateException if a row that must exist is missing, or the other way round
   */
  public final void ok(Outcome status) {
    if (status == Outcome.OK) {
      return;
    }
    if (status == Outcome.NOT_FOUND || status == Outcome.DUPLICATE) {
      throw new IllegalStateException(
          status == Outcome.NOT_FOUND ? "a row is missing" : "a row already exists");
    }
    throw transaction.failure(status);
  }

  /**
   * Returns the current time as a TIMESTAMP column stores it: microseconds of the local date and
   * time since 1970.
   */
  public static long now() {
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

  /**
   * Locks and copies the row with a key of one string, which must exist. For a single row this is
   * cheaper than a batch of one.
   */
  public final void get(NativeTable table, LockMode mode, String first, RowBuffer out) {
    begin(table).appendObject(key, 0, first);
    ok(transaction.get(table.store(), complete(table), mode, out));
  }

  /** Locks and copies the row with a key of one number, which must exist. */
  public final void get(NativeTable table, LockMode mode, long first, RowBuffer out) {
    begin(table).appendLong(key, 0, first);
    ok(transaction.get(table.store(), complete(table), mode, out));
  }

  /** Locks and copies the row with a key of two numbers; returns false if it does not exist. */
  public final boolean find(
      NativeTable table, LockMode mode, long first, long second, RowBuffer out) {
    KeyFormat format = begin(table);
    format.appendLong(key, 0, first);
    format.appendLong(key, 1, second);
    return present(transaction.get(table.store(), complete(table), mode, out));
  }

  /** Deletes the row with a key of three numbers; returns false if it does not exist. */
  public final boolean delete(NativeTable table, long first, long second, long third) {
    appendThree(begin(table), first, second, third);
    return present(transaction.delete(table.store(), complete(table)));
  }

  private boolean present(Outcome status) {
    if (status != Outcome.NOT_FOUND) {
      ok(status);
    }
    return status == Outcome.OK;
  }

  /** Adds the row with a key of one string to a batch; returns its index. */
  public final int add(PointBatch batch, NativeTable table, LockMode mode, String first) {
    begin(table).appendObject(key, 0, first);
    return batch.add(table.store(), complete(table), mode);
  }

  /** Adds the row with a key of one number to a batch; returns its index. */
  public final int add(PointBatch batch, NativeTable table, LockMode mode, long first) {
    begin(table).appendLong(key, 0, first);
    return batch.add(table.store(), complete(table), mode);
  }

  /** Adds the row with a key of two numbers to the batch; returns its index. */
  public final int add(
      PointBatch batch, NativeTable table, LockMode mode, long first, long second) {
    KeyFormat format = begin(table);
    format.appendLong(key, 0, first);
    format.appendLong(key, 1, second);
    return batch.add(table.store(), complete(table), mode);
  }

  /** Adds the row with a key of three numbers to the batch; returns its index. */
  public final int add(
      PointBatch batch, NativeTable table, LockMode mode, long first, long second, long third) {
    appendThree(begin(table), first, second, third);
    return batch.add(table.store(), complete(table), mode);
  }

  /** Adds the row with a key of four numbers to the batch; returns its index. */
  public final int add(
      PointBatch batch,
      NativeTable table,
      LockMode mode,
      long first,
      long second,
      long third,
      long fourth) {
    KeyFormat format = begin(table);
    appendThree(format, first, second, third);
    format.appendLong(key, 3, fourth);
    return batch.add(table.store(), complete(table), mode);
  }

  private void appendThree(KeyFormat format, long first, long second, long third) {
    format.appendLong(key, 0, first);
    format.appendLong(key, 1, second);
    format.appendLong(key, 2, third);
  }

  /** Locks and reads the rows of all keys of a batch. */
  public final void execute(PointBatch batch) {
    ok(batch.execute(LockMode.READ));
  }

  /** Copies the row of key {@code i}, which must exist. */
  public final void row(PointBatch batch, int i, RowBuffer out) {
    if (!batch.found(i)) {
      throw new IllegalStateException("a row is missing");
    }
    batch.row(i, out);
  }

  /** Starts a scan of the rows whose key begins with a number. */
  public final void scan(RangeScan scan, IndexStore index, KeyFormat format, long first, Way way) {
    key.clear();
    format.appendLong(key, 0, first);
    ok(scan.openPrefix(index, key, ScanDirection.of(way.ascending()), way.mode(), way.hint()));
  }

  /** Starts a scan of the rows whose key begins with two numbers. */
  public final void scan(
      RangeScan scan, IndexStore index, KeyFormat format, long first, long second, Way way) {
    key.clear();
    format.appendLong(key, 0, first);
    format.appendLong(key, 1, second);
    ok(scan.openPrefix(index, key, ScanDirection.of(way.ascending()), way.mode(), way.hint()));
  }

  /** Starts a scan of the rows whose key begins with three numbers. */
  public final void scan(
      RangeScan scan,
      IndexStore index,
      KeyFormat format,
      long first,
      long second,
      long third,
      Way way) {
    key.clear();
    appendThree(format, first, second, third);
    ok(scan.openPrefix(index, key, ScanDirection.of(way.ascending()), way.mode(), way.hint()));
  }

  /** Copies the next row of a scan; returns false at its end. */
  public final boolean next(RangeScan scan, RowBuffer out) {
    Outcome status = scan.next(out);
    if (status == Outcome.NOT_FOUND) {
      return false;
    }
    ok(status);
    return true;
  }

  /**
   * The mode of a scan.
   *
   * @param ascending true if keys ascend
   * @param mode mode of the locks on its rows
   * @param hint expected number of rows
   */
  public record Way(boolean ascending, LockMode mode, int hint) {}

  @Override
  public final Cost cost() {
    return NativeCosts.of(session.counters());
  }

  @Override
  public final void close() {
    session.close();
  }
}
