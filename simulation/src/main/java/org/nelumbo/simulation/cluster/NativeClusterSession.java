package org.nelumbo.simulation.cluster;

import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;

/** A session on the native transaction API. */
final class NativeClusterSession implements ClusterSession {
  private final Coordinator coordinator;
  private final Transaction transaction;
  private final TableStore table;
  private final RowLayout layout;
  private final RowWriter writer;
  private final KeyBuffer key = new KeyBuffer();
  private final KeyBuffer lowKey = new KeyBuffer();
  private final RowBuffer row = new RowBuffer();
  private final RangeScan range;
  private final ScanRange keys = new ScanRange();
  private final TableScan all;
  private final PointBatch batch;
  private final SnapshotAge age;

  /** Null if the ids are the primary keys. */
  private final AddressLikeIds ids;

  NativeClusterSession(
      Coordinator coordinator, TableStore table, SnapshotAge age, boolean addressLikeKeys) {
    this.coordinator = coordinator;
    this.ids = addressLikeKeys ? AddressLikeIds.of(table.layout()) : null;
    this.age = age;
    this.transaction = coordinator.transaction();
    this.table = table;
    this.layout = table.layout();
    this.writer = new RowWriter(layout);
    this.range = transaction.newRangeScan();
    this.all = transaction.newTableScan();
    this.batch = transaction.newPointBatch();
  }

  @Override
  public void begin(Isolation isolation, boolean readOnly) {
    age.begin();
    transaction.begin(isolation, readOnly);
  }

  @Override
  public void beginCut() {
    age.begin();
    transaction.beginCut();
  }

  @Override
  public boolean readAlone(Isolation isolation, long id, Runnable found) throws TransactionFailed {
    age.begin();
    transaction.beginSingleRead(isolation);
    boolean there = read(id, false);
    commit();
    if (there) {
      found.run();
    }
    return there;
  }

  @Override
  public void readTogether(Isolation isolation, int count, Visitor visitor)
      throws TransactionFailed {
    age.begin();
    transaction.beginSingleRead(isolation);
    batch.clear();
    for (int id = 0; id < count; id++) {
      key(id, key);
      batch.add(table, key);
    }
    done(batch.execute(LockMode.READ), Outcome.OK);
    for (int id = 0; id < count; id++) {
      if (batch.found(id)) {
        batch.row(id, row);
        visitor.row(id, value(), group());
      }
    }
    commit();
  }

  private void key(long id, KeyBuffer to) {
    to.clear();
    layout.keyFormat().appendLong(to, 0, primaryKey(id));
    layout.finishKey(to);
  }

  private long primaryKey(long id) {
    return ids == null ? id : ids.key(id);
  }

  private void image(long id, long value, long group, String text) {
    writer.begin();
    writer.setLong(RowTable.ID, primaryKey(id));
    writer.setLong(RowTable.VAL, value);
    writer.setLong(RowTable.GRP, group);
    writer.setObject(RowTable.TXT, text);
    writer.finish(key, row);
  }

  private boolean done(Outcome status, Outcome no) throws TransactionFailed {
    if (status == Outcome.OK) {
      return true;
    }
    if (status == no) {
      return false;
    }
    throw failed(status);
  }

  private TransactionFailed failed(Outcome status) {
    if (status == Outcome.TOO_OLD) {
      age.tooOld();
    }
    return new TransactionFailed(
        status == Outcome.EXHAUSTED
            ? TransactionFailed.Reason.OUT_OF_MEMORY
            : TransactionFailed.Reason.CONFLICT);
  }

  @Override
  public boolean read(long id, boolean forUpdate) throws TransactionFailed {
    key(id, key);
    LockMode mode = forUpdate ? LockMode.WRITE : LockMode.READ;
    return done(transaction.get(table, key, mode, row), Outcome.NOT_FOUND);
  }

  @Override
  public long value() {
    return layout.getLong(row.bytes, row.offset, RowTable.VAL);
  }

  @Override
  public long group() {
    return layout.getLong(row.bytes, row.offset, RowTable.GRP);
  }

  @Override
  public String text() {
    return layout.getString(row.bytes, row.offset, RowTable.TXT);
  }

  @Override
  public boolean insert(long id, long value, long group, String text) throws TransactionFailed {
    image(id, value, group, text);
    return done(transaction.insert(table, key, row), Outcome.DUPLICATE);
  }

  @Override
  public boolean update(long id, long value, long group, String text) throws TransactionFailed {
    image(id, value, group, text);
    return done(transaction.update(table, key, row), Outcome.NOT_FOUND);
  }

  @Override
  public boolean delete(long id) throws TransactionFailed {
    key(id, key);
    return done(transaction.delete(table, key), Outcome.NOT_FOUND);
  }

  @Override
  public void scan(long low, long high, Visitor visitor) throws TransactionFailed {
    if (table.primary() == null) {
      scanAll(low, high, visitor);
      return;
    }
    key(low, lowKey);
    key(high, key);
    Outcome status = range.open(keys.closed(table.primary(), lowKey, key));
    take(status, visitor);
  }

  private void scanAll(long low, long high, Visitor visitor) throws TransactionFailed {
    Outcome status = all.open(table, LockMode.READ);
    while (status == Outcome.OK && (status = all.next(row)) == Outcome.OK) {
      long id = id();
      if (id >= low && id <= high) {
        visitor.row(id, value(), group());
      }
    }
    all.close();
    end(status);
  }

  private long id() {
    long key = layout.getLong(row.bytes, row.offset, RowTable.ID);
    return ids == null ? key : ids.id(key);
  }

  private void end(Outcome status) throws TransactionFailed {
    if (status != Outcome.NOT_FOUND) {
      throw failed(status);
    }
  }

  @Override
  public void scanGroup(long group, Visitor visitor) throws TransactionFailed {
    IndexStore index = table.indexes()[0];
    lowKey.clear();
    index.encoder().format().appendLong(lowKey, 0, group);
    take(range.openPrefix(index, lowKey, ScanDirection.ASCENDING, LockMode.READ, 0), visitor);
  }

  private void take(Outcome opened, Visitor visitor) throws TransactionFailed {
    Outcome status = opened;
    while (status == Outcome.OK && (status = range.next(row)) == Outcome.OK) {
      visitor.row(id(), value(), group());
    }
    range.close();
    end(status);
  }

  @Override
  public void commit() throws TransactionFailed {
    done(transaction.commit(), Outcome.OK);
  }

  @Override
  public void abort() {
    transaction.abort();
  }

  @Override
  public void close() {
    coordinator.close();
  }
}
