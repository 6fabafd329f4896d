package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.CvtBatch;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;

/** Tests reads of many keys of several tables, and writes of the rows read. */
class PointBatchTest {
  private static final int BALANCE = 1;

  private Engine engine;
  private TableStore first;
  private TableStore second;
  private Accounts a;
  private Accounts b;
  private Accounts other;
  private PointBatch batch;
  private final KeyBuffer key = new KeyBuffer();
  private final RowBuffer row = new RowBuffer();

  /** Returns true if the table has a hash index. */
  boolean isHashed() {
    return true;
  }

  @BeforeEach
  void open() {
    SystemEnvironment environment = new SystemEnvironment();
    CountingFabric fabric = new CountingFabric(new LocalFabric(1L << 30));
    PoolFormat.format(fabric, 1);
    engine =
        new Engine(
            environment, fabric, EngineOptions.DEFAULT.withConflictPolicy(ConflictPolicy.NO_WAIT));
    engine.start();
    first = Accounts.create(engine, 2, isHashed());
    second = Accounts.create(engine, 4, isHashed());
    a = new Accounts(engine, first);
    b = new Accounts(engine, first);
    other = new Accounts(engine, second);
    batch = a.transaction.newPointBatch();
    a.begin();
    for (int id = 1; id <= 100; id++) {
      a.insert(id, id * 10, "owner" + id);
    }
    a.commit();
    other.begin();
    other.insert(1, 7, "other");
    other.commit();
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
    other.close();
    engine.close(); // first, since its sweeper acquires locks, too
    assertEquals(0, engine.lockTable().heldCount());
  }

  private int add(TableStore table, long id, LockMode mode) {
    key.clear();
    table.layout().keyFormat().appendLong(key, 0, id);
    table.layout().finishKey(key);
    return batch.add(table, key, mode);
  }

  private long balance(TableStore table, int index) {
    batch.row(index, row);
    return table.layout().getLong(row.bytes, row.offset, BALANCE);
  }

  private Outcome setBalance(TableStore table, int index, long balance) {
    RowWriter writer = new RowWriter(table.layout());
    batch.row(index, row);
    writer.beginFrom(row.bytes, row.offset, row.length);
    writer.setLong(BALANCE, balance);
    RowBuffer image = new RowBuffer();
    writer.finish(key, image);
    return batch.update(index, image);
  }

  @Test
  void shouldReadKeysOfSeveralTables() {
    a.begin();
    int one = add(first, 1, LockMode.READ);
    int two = add(second, 1, LockMode.WRITE);
    int missing = add(second, 2, LockMode.READ);
    int three = add(first, 100, LockMode.WRITE);
    assertEquals(Outcome.OK, batch.execute(LockMode.READ));
    assertTrue(batch.found(one) && batch.found(two) && batch.found(three));
    assertFalse(batch.found(missing));
    assertEquals(10, balance(first, one));
    assertEquals(7, balance(second, two));
    assertEquals(1000, balance(first, three));
    a.commit();
  }

  @Test
  void shouldReadAnyNumberOfKeysInThreeRoundTrips() {
    CountingChannel channel = (CountingChannel) a.coordinator.channel();
    a.begin();
    for (int id = 1; id <= CvtBatch.CAPACITY - 1; id++) {
      add(first, id, LockMode.WRITE);
    }
    add(second, 1, LockMode.WRITE);
    channel.label("read");
    assertEquals(Outcome.OK, batch.execute(LockMode.READ));
    assertEquals(3, channel.counters("read").roundTrips());
    channel.label("write");
    for (int i = 0; i < batch.size() - 1; i++) {
      assertEquals(Outcome.OK, setBalance(first, i, 5));
    }
    assertEquals(0, channel.counters("write").verbs(), "what was read is not read again");
    channel.label("commit");
    a.commit();
    assertEquals(2, channel.counters("commit").roundTrips());
  }

  @Test
  void shouldSpareTheTransactionItsReads() {
    CountingChannel channel = (CountingChannel) a.coordinator.channel();
    a.begin();
    add(first, 1, LockMode.WRITE);
    add(first, 2, LockMode.READ);
    add(first, 3, LockMode.WRITE);
    assertEquals(Outcome.OK, batch.execute(LockMode.READ));
    channel.label("known");
    assertEquals(10, getForUpdate(1));
    assertEquals(30, getForUpdate(3));
    a.update(3, 31, "x");
    assertEquals(31, getForUpdate(3));
    assertEquals(0, channel.counters("known").verbs());
    channel.label("unknown");
    assertEquals(20, getForUpdate(2));
    assertTrue(channel.counters("unknown").verbs() > 0, "it was not locked for writing");
    add(first, 4, LockMode.WRITE);
    assertEquals(10, getForUpdate(1));
    a.commit();
    b.begin();
    b.update(1, 11, "y");
    b.commit();
    a.begin();
    assertEquals(11, getForUpdate(1), "the locks of the previous transaction are gone");
    a.commit();
  }

  private long getForUpdate(long id) {
    key.clear();
    first.layout().keyFormat().appendLong(key, 0, id);
    first.layout().finishKey(key);
    assertEquals(Outcome.OK, a.transaction.get(first, key, LockMode.WRITE, row));
    return first.layout().getLong(row.bytes, row.offset, BALANCE);
  }

  @Test
  void shouldUpdateAndDeleteRowsRead() {
    a.begin();
    int one = add(first, 1, LockMode.WRITE);
    int two = add(first, 2, LockMode.WRITE);
    int elsewhere = add(second, 1, LockMode.WRITE);
    assertEquals(Outcome.OK, batch.execute(LockMode.READ));
    assertEquals(Outcome.OK, setBalance(first, one, 11));
    assertEquals(Outcome.OK, setBalance(first, one, 12));
    assertEquals(Outcome.OK, batch.delete(two));
    assertEquals(Outcome.NOT_FOUND, batch.delete(two));
    assertEquals(Outcome.OK, setBalance(second, elsewhere, 8));
    assertEquals(12, a.balance(1));
    assertEquals(Outcome.OK, a.commit());
    b.begin();
    assertEquals(12, b.balance(1));
    assertEquals(-1, b.balance(2));
    b.commit();
    other.begin();
    assertEquals(8, other.balance(1));
    other.commit();
  }

  @Test
  void shouldMaintainSecondaryIndex() {
    IndexStore index = Accounts.addOwnerIndex(engine, first, false);
    a.begin();
    a.insert(201, 1, "zoe");
    a.insert(202, 2, "zac");
    a.commit();
    a.begin();
    int zoe = add(first, 201, LockMode.WRITE);
    int zac = add(first, 202, LockMode.WRITE);
    batch.execute(LockMode.READ);
    RowWriter writer = new RowWriter(first.layout());
    batch.row(zoe, row);
    writer.beginFrom(row.bytes, row.offset, row.length);
    writer.setObject(2, "amy");
    RowBuffer image = new RowBuffer();
    writer.finish(key, image);
    assertEquals(Outcome.OK, batch.update(zoe, image));
    assertEquals(Outcome.OK, batch.delete(zac));
    a.commit();
    b.begin();
    assertEquals(List.of(201L), b.ids(index, true));
    b.commit();
  }

  @Test
  void shouldKeepVersionNeededBySnapshot() {
    b.begin(Isolation.SNAPSHOT, true);
    for (int i = 1; i <= 20; i++) {
      a.begin();
      batch.clear();
      add(first, 5, LockMode.WRITE);
      batch.execute(LockMode.READ);
      setBalance(first, 0, i);
      assertEquals(Outcome.OK, a.commit());
    }
    assertEquals(50, b.balance(5));
    b.commit();
  }

  @Test
  void shouldRollBackToSavepoint() {
    a.begin();
    add(first, 1, LockMode.WRITE);
    batch.execute(LockMode.READ);
    long savepoint = a.transaction.savepoint();
    setBalance(first, 0, 77);
    a.transaction.rollbackTo(savepoint);
    assertEquals(10, a.balance(1));
    assertEquals(Outcome.OK, setBalance(first, 0, 78));
    a.commit();
    b.begin();
    assertEquals(78, b.balance(1));
    b.commit();
  }

  @Test
  void shouldWriteKeysThatShareALotusKey() {
    a.forceLotusKey(0x1234_5678_9ABCL);
    a.begin();
    a.insert(301, 1, null);
    a.insert(302, 2, null);
    a.commit();
    a.begin();
    batch.clear();
    for (long id = 301; id <= 302; id++) {
      key.clear();
      first.layout().keyFormat().appendLong(key, 0, id);
      key.lotusKey = 0x1234_5678_9ABCL;
      batch.add(first, key, LockMode.WRITE);
    }
    assertEquals(Outcome.OK, batch.execute(LockMode.READ));
    batch.row(0, row);
    RowWriter writer = new RowWriter(first.layout());
    writer.beginFrom(row.bytes, row.offset, row.length);
    writer.setLong(BALANCE, 100);
    RowBuffer image = new RowBuffer();
    writer.finish(new KeyBuffer(), image);
    assertEquals(Outcome.OK, batch.update(0, image));
    assertEquals(Outcome.OK, batch.delete(1));
    a.commit();
    a.begin();
    assertEquals(100, a.balance(301));
    assertEquals(-1, a.balance(302));
    a.commit();
  }

  @Test
  void shouldMixLockedAndSnapshotReads() {
    a.begin(Isolation.SNAPSHOT, false);
    b.begin();
    b.update(1, 99, null);
    b.commit();
    add(first, 1, LockMode.READ);
    add(first, 2, LockMode.WRITE);
    assertEquals(Outcome.OK, batch.execute(LockMode.READ));
    assertEquals(10, balance(first, 0), "read at the snapshot");
    assertEquals(Outcome.OK, setBalance(first, 1, 21));
    assertEquals(Outcome.OK, a.commit());
    a.begin(Isolation.SNAPSHOT, false);
    b.begin();
    b.update(1, 100, null);
    b.commit();
    batch.clear();
    add(first, 1, LockMode.WRITE);
    assertEquals(Outcome.CONFLICT, batch.execute(LockMode.READ), "first committer wins");
    a.abort();
  }

  @Test
  void shouldReportConflictsAtOnce() {
    b.begin();
    b.update(2, 1, null);
    a.begin();
    add(first, 1, LockMode.WRITE);
    add(first, 2, LockMode.READ);
    assertEquals(Outcome.CONFLICT, batch.execute(LockMode.READ));
    a.abort();
    b.commit();
  }

  @Test
  void shouldNotWriteInAnotherTransaction() {
    a.begin();
    add(first, 1, LockMode.WRITE);
    batch.execute(LockMode.READ);
    a.commit();
    a.begin();
    assertThrows(IllegalStateException.class, () -> batch.delete(0));
    a.abort();
  }
}
