package org.nelumbo.executor.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.outcome.Outcome.CANCELLED;
import static org.nelumbo.executor.outcome.Outcome.CONFLICT;
import static org.nelumbo.executor.outcome.Outcome.NOT_FOUND;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.index.tree.IndexResult;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.remote.LocalMembers;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.table.TableStore.TableRoots;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.executor.txn.InsertBatch;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.version.Cells;
import org.nelumbo.session.Isolation;

/** Tests two engines on one pool, each of which owns half of the lock shards. */
@Timeout(60)
class SeveralEnginesTest {
  private final Environment environment = new SystemEnvironment();
  private LocalFabric memory;
  private LocalMembers members;
  private boolean isRemote;
  private Engine one;
  private Engine other;
  private Accounts first;
  private Accounts second;

  /** Returns a fabric that stays open when an engine closes it. */
  private ForwardingFabric shared() {
    return new ForwardingFabric(memory) {
      @Override
      public boolean isRemote() {
        return isRemote;
      }

      @Override
      public void close() {}
    };
  }

  /** Returns true if the table has a hash index. */
  boolean isHashed() {
    return true;
  }

  @BeforeEach
  void open() {
    memory = new LocalFabric(64 << 20);
    members = new LocalMembers(environment);
    PoolFormat.format(memory, 1);
    one = Engine.join(environment, shared(), EngineOptions.DEFAULT, members.membership());
    other = Engine.join(environment, shared(), EngineOptions.DEFAULT, members.membership());
    one.start();
    other.start();
    members.shareOut();
    TableStore table = Accounts.create(one, 2, isHashed());
    first = new Accounts(one, table);
    TableRoots roots = new TableRoots(table.hashRoot(), table.primary().root());
    second = new Accounts(other, other.tables().open(table.schema(), roots, List.of(), List.of()));
  }

  @AfterEach
  void close() {
    memory.close();
  }

  private long word(long address) {
    try (Channel channel = memory.openChannel(Long.BYTES)) {
      channel.read(address, 0, Long.BYTES);
      channel.flush();
      return channel.staging().get(ValueLayout.JAVA_LONG, 0);
    }
  }

  private long numberIn(int entry) {
    return word(SuperblockLayout.computeNode(entry));
  }

  private void end() {
    first.close();
    second.close();
    one.close();
    other.close();
  }

  @Test
  void shouldReadCommitsOfOtherEngineImmediately() {
    for (int round = 0; round < 100; round++) {
      Accounts writer = round % 2 == 0 ? first : second;
      Accounts reader = round % 2 == 0 ? second : first;
      writer.begin();
      assertEquals(OK, writer.insert(round, round * 10L, "o"));
      assertEquals(OK, writer.commit());
      reader.begin(Isolation.SERIALIZABLE, true);
      assertEquals(round * 10L, reader.balance(round));
      assertEquals(OK, reader.commit());
    }
    end();
  }

  @Test
  void shouldNotLoseAnUpdateOfEither() throws InterruptedException {
    first.begin();
    for (long id = 0; id < 4; id++) {
      assertEquals(OK, first.insert(id, 0, "o"));
    }
    assertEquals(OK, first.commit());
    int rounds = 200;
    Thread adding = new Thread(() -> add(second, rounds));
    adding.start();
    add(first, rounds);
    adding.join();
    first.begin(Isolation.SERIALIZABLE, true);
    for (long id = 0; id < 4; id++) {
      assertEquals(2 * rounds / 4, first.balance(id));
    }
    assertEquals(OK, first.commit());
    end();
  }

  private static void add(Accounts session, int rounds) {
    for (int round = 0; round < rounds; ) {
      session.begin();
      if (increased(session, round % 4) && session.commit() == OK) {
        round++;
      } else {
        session.transaction.abort();
      }
    }
  }

  private static boolean increased(Accounts session, long id) {
    try {
      return session.update(id, session.balance(id, LockMode.WRITE) + 1, "o") == OK;
    } catch (NelumboException e) {
      assertEquals(ErrorCode.SERIALIZATION_FAILURE, e.code());
      return false;
    }
  }

  /** The other engine owns about half of the locks; they are requested together, not one by one. */
  @Test
  void shouldRequestLocksOfBatchTogether() {
    int rows = 64;
    InsertBatch inserts = first.transaction.newInsertBatch();
    first.begin();
    int before = members.requests();
    for (long id = 0; id < rows; id++) {
      first.addTo(inserts, id, id, "o");
    }
    assertEquals(OK, inserts.execute());
    assertEquals(1, members.requests() - before, "one request for half of the rows");
    assertEquals(OK, first.commit());
    PointBatch gets = first.transaction.newPointBatch();
    KeyBuffer key = new KeyBuffer();
    for (long id = 0; id < rows; id++) {
      first.key(id, key);
      gets.add(first.table, key, id / 2 % 2 == 0 ? LockMode.READ : LockMode.WRITE);
    }
    first.begin();
    before = members.requests();
    assertEquals(OK, gets.execute(LockMode.READ));
    assertEquals(1, members.requests() - before);
    assertEquals(OK, first.commit());
    first.begin();
    before = members.requests();
    assertEquals(rows, first.count(0, rows, LockMode.WRITE));
    int scanned = members.requests() - before;
    assertTrue(scanned <= 4, "one for each batch, which grow: " + scanned);
    assertEquals(OK, first.commit());
    end();
  }

  /**
   * Begins a transaction that keeps a lock of the other engine, and removes that engine as failed.
   */
  private void holdWhileTheOtherFails(long id) {
    first.begin(Isolation.SNAPSHOT, false);
    assertEquals(OK, first.insert(id, 1, "o"));
    assertFalse(first.transaction.mustEnd());
    members.removeLast();
    assertTrue(first.transaction.mustEnd());
  }

  private long keyOfTheOther(long from) {
    long id = from;
    while (one.clusterLocks().isOwned(first.lotusKey(id))) {
      id++;
    }
    return id;
  }

  /**
   * A damaged cell of a failed compute node is replaced once its shard has an owner again, so the
   * transaction must not wait for that.
   */
  @Test
  void shouldNotAwaitDamagedCellWhenOwnEndIsAwaited() {
    long row = keyOfTheOther(1);
    first.begin();
    assertEquals(OK, first.insert(row, 10, "o"));
    assertEquals(OK, first.commit());
    Cells.damage(memory, first.table, first.lotusKey(row), false);
    holdWhileTheOtherFails(keyOfTheOther(row + 1));
    assertEquals(CONFLICT, first.get(row, LockMode.READ));
    NelumboException failure = first.transaction.failure(CONFLICT);
    assertEquals(ErrorCode.SERIALIZATION_FAILURE, failure.code());
    first.abort();
  }

  @Test
  void shouldCancelStatementOfLongAwaitedTransaction() {
    long row = keyOfTheOther(1);
    holdWhileTheOtherFails(row);
    Outcome status = OK;
    while (status == OK) {
      status = countAll();
    }
    assertEquals(CANCELLED, status);
    NelumboException failure = first.transaction.failure(status);
    assertEquals(ErrorCode.SERIALIZATION_FAILURE, failure.code());
    assertTrue(failure.getMessage().contains("wait for the end of this transaction"));
    first.abort();
    assertFalse(first.transaction.cancellation().isSet());
    first.begin(Isolation.SERIALIZABLE, true);
    assertEquals(NOT_FOUND, first.get(row, LockMode.READ));
    assertEquals(OK, first.commit());
  }

  /** Each read is short, and the cancellation token is not checked between reads. */
  @Test
  void shouldEndATransactionThatReadsRowAfterRow() {
    long row = keyOfTheOther(1);
    holdWhileTheOtherFails(row);
    Outcome status = OK;
    while (status == OK) {
      status = first.get(row, LockMode.READ);
    }
    assertEquals(CONFLICT, status);
    first.abort();
  }

  @Test
  void shouldEndATransactionThatReadsBatchAfterBatch() {
    long row = keyOfTheOther(1);
    holdWhileTheOtherFails(row);
    PointBatch gets = first.transaction.newPointBatch();
    KeyBuffer key = new KeyBuffer();
    first.key(row, key);
    gets.add(first.table, key, LockMode.READ);
    Outcome status = OK;
    while (status == OK) {
      status = gets.execute(LockMode.READ);
    }
    assertEquals(CONFLICT, status);
    first.abort();
  }

  @Test
  void shouldEndATransactionThatChangesItsRowAgainAndAgain() {
    long row = keyOfTheOther(1);
    holdWhileTheOtherFails(row);
    Outcome status = OK;
    for (long balance = 0; status == OK; balance++) {
      status = first.update(row, balance, "o");
    }
    assertEquals(CONFLICT, status);
    first.abort();
  }

  private Outcome countAll() {
    TableScan scan = first.transaction.newTableScan();
    RowBuffer row = new RowBuffer();
    Outcome status = scan.open(first.table, LockMode.READ);
    while (status == OK) {
      status = scan.next(row);
    }
    scan.close();
    return status == NOT_FOUND ? OK : status;
  }

  /** The horizon of the other engine advances after the end of the snapshot. */
  @Test
  void shouldKeepVersionsNeededBySnapshotOfOtherEngine() {
    first.begin();
    assertEquals(OK, first.insert(1, 0, "o"));
    assertEquals(OK, first.commit());
    second.begin(Isolation.SERIALIZABLE, true);
    for (long balance = 1; balance <= 50; balance++) {
      first.begin();
      assertEquals(OK, first.update(1, balance, "o"));
      assertEquals(OK, first.commit());
    }
    assertEquals(0, second.balance(1));
    assertEquals(OK, second.commit());
    end();
  }

  @Test
  void shouldFreeNodeEntryAndHorizonOnClose() {
    assertNotEquals(0, numberIn(0));
    assertNotEquals(0, numberIn(1));
    first.begin();
    assertEquals(OK, first.insert(1, 7, "o"));
    assertEquals(OK, first.commit());
    assertThrows(IllegalStateException.class, one::close, "a coordinator is open");
    first.close();
    one.close();
    assertEquals(0, numberIn(0));
    second.begin(Isolation.SERIALIZABLE, true);
    assertEquals(7, second.balance(1));
    assertEquals(OK, second.commit());
    long before = other.epochs().horizon();
    second.begin();
    assertEquals(OK, second.update(1, 8, "o"));
    assertEquals(OK, second.commit());
    while (other.epochs().horizon() <= before) {
      LockSupport.parkNanos(100_000);
    }
    Engine third = Engine.join(environment, shared(), EngineOptions.DEFAULT, members.membership());
    assertEquals(0, third.node().entry(), "the place that has become free");
    assertTrue(third.node().number() > other.node().number());
    third.close();
    second.close();
    other.close();
  }

  @Test
  void shouldLeaveNoEntryAfterFailedJoin() {
    ForwardingFabric broken =
        new ForwardingFabric(memory) {
          @Override
          public Channel openChannel(int stagingBytes) {
            return new ForwardingChannel(fabric.openChannel(stagingBytes)) {
              @Override
              public void read(long address, int stagingOffset, int length) {
                if (address == SuperblockLayout.CLOCK_OFFSET) {
                  throw new FabricException("no clock", null);
                }
                channel.read(address, stagingOffset, length);
              }
            };
          }
        };
    assertThrows(
        FabricException.class,
        () -> Engine.join(environment, broken, EngineOptions.DEFAULT, members.membership()));
    assertEquals(0, numberIn(2));
    end();
  }

  /**
   * Deletes a row with the first engine, while a snapshot prevents its sweeper from removing the
   * row.
   */
  private void deleteUnderASnapshot(Accounts reader, long id) {
    first.begin();
    assertEquals(OK, first.insert(id, 10, "o"));
    assertEquals(OK, first.insert(id + 1, 20, "o"));
    assertEquals(OK, first.commit());
    reader.begin(Isolation.SNAPSHOT, true);
    assertEquals(10, reader.balance(id));
    first.begin();
    assertEquals(OK, first.delete(id));
    assertEquals(OK, first.commit());
  }

  /**
   * Removes the entry of a row, as a compute node that fails after that step; returns the address
   * of the row.
   */
  private long removeFromOrderedIndex(long id) {
    Channel channel = first.coordinator.channel();
    OrderedIndex tree = first.table.primary().tree();
    KeyBuffer key = new KeyBuffer();
    first.key(id, key);
    long cvt = tree.get(channel, key.bytes, key.length);
    assertEquals(
        IndexResult.REMOVED, tree.remove(channel, key.bytes, key.length, cvt, LeafGuard.NONE));
    return cvt;
  }

  /** An engine removes a deleted row from the ordered index first. */
  @Test
  void shouldFindRowReinsertedAfterPartialRemoval() {
    Accounts reader = new Accounts(one, first.table);
    deleteUnderASnapshot(reader, 1);
    removeFromOrderedIndex(1);
    second.begin();
    assertEquals(OK, second.insert(1, 11, "o"));
    assertEquals(OK, second.commit());
    first.begin();
    assertEquals(2, first.count(0, 10, LockMode.READ));
    assertEquals(11, first.balance(1));
    assertEquals(OK, first.commit());
    reader.abort();
    reader.close();
    end();
  }

  /**
   * The compute node that removed the row has failed after all index entries were gone, but before
   * it had marked the row. A cached address still leads to the deleted row, unless the index is
   * consulted.
   */
  @Test
  void shouldFindARowThatIsInsertedAgainWhereTheAddressOfTheDeletedOneIsRemembered() {
    end();
    close();
    isRemote = true; // remote engines cache the addresses of rows in their own shards
    open();
    long id = 1;
    while (!one.clusterLocks().isOwned(first.lotusKey(id))) {
      id++;
    }
    Accounts reader = new Accounts(one, first.table);
    deleteUnderASnapshot(reader, id);
    first.begin();
    assertEquals(NOT_FOUND, first.get(id, LockMode.READ));
    assertEquals(OK, first.commit());
    long cvt = removeFromOrderedIndex(id);
    if (isHashed()) {
      assertTrue(first.table.hash().remove(first.coordinator.channel(), first.lotusKey(id), cvt));
    }
    second.begin();
    assertEquals(OK, second.insert(id, 11, "o"));
    assertEquals(OK, second.commit());
    first.begin();
    assertEquals(11, first.balance(id, LockMode.WRITE));
    assertEquals(OK, first.commit());
    reader.abort();
    reader.close();
    end();
  }
}
