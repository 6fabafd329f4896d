package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.nelumbo.executor.lock.LockMode.READ;
import static org.nelumbo.executor.lock.LockMode.WRITE;
import static org.nelumbo.executor.outcome.Outcome.CONFLICT;
import static org.nelumbo.executor.outcome.Outcome.DUPLICATE;
import static org.nelumbo.executor.outcome.Outcome.NOT_FOUND;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.RowGuard;
import org.nelumbo.session.Isolation;

/**
 * Tests that each row that a transaction locks passes the {@link RowGuard}, in each way in which
 * rows are read, and that a lost row lock fails the operation and leaves nothing behind.
 */
class RowGuardTest {
  private static final long ROWS = 9;
  private static final long DELETED = 4;
  private static final String OWNER = "owner";

  /**
   * A way in which a transaction reads rows for itself.
   *
   * @param mode lock mode of the rows
   * @param ids rows that are read
   */
  private record Way(
      String name, LockMode mode, Function<RowGuardTest, Outcome> operation, List<Long> ids) {}

  private static final String UNLOCKED_READ = "unlocked read";
  private static final List<Long> ALL = LongStream.rangeClosed(1, ROWS).boxed().toList();
  private static final List<Way> WAYS =
      List.of(
          new Way("get", READ, test -> test.a.get(3, READ), List.of(3L)),
          new Way("get to write", WRITE, test -> test.a.get(3, WRITE), List.of(3L)),
          new Way("update", WRITE, test -> test.a.update(3, 33, OWNER), List.of(3L)),
          new Way("delete", WRITE, test -> test.a.delete(3), List.of(3L)),
          new Way("insert", WRITE, test -> test.a.insert(DELETED, 44, OWNER), List.of(DELETED)),
          new Way("insert batch", WRITE, test -> test.insertBatch(20, DELETED), List.of(DELETED)),
          new Way("point batch", READ, test -> test.pointBatch(READ), List.of(2L, 3L, 5L)),
          new Way("batch to write", WRITE, test -> test.pointBatch(WRITE), List.of(2L, 3L, 5L)),
          new Way("range scan", READ, test -> test.scan(test.table.primary(), READ), ALL),
          new Way("scan to write", WRITE, test -> test.scan(test.table.primary(), WRITE), ALL),
          new Way("secondary index", READ, test -> test.scan(test.byOwner, READ), ALL),
          new Way("table scan", READ, test -> test.tableScan(), ALL),
          new Way(UNLOCKED_READ, WRITE, test -> test.unlockedRead(3), List.of(3L)));

  private final GuardedRows guarded = new GuardedRows();
  private final Map<Long, Long> cvts = new TreeMap<>();
  private Engine engine;
  private TableStore table;
  private IndexStore byOwner;
  private Accounts a;
  private Accounts b;

  private void open(boolean remote) {
    engine =
        Accounts.quietEngine(
            64 << 20, memory -> guarded.watched(remote ? new DistantFabric(memory) : memory));
    table = Accounts.create(engine, 2);
    byOwner = Accounts.addOwnerIndex(engine, table, false);
    b = new Accounts(engine, table);
    guarded.open(b);
    a = new Accounts(engine.openCoordinator(guarded::newGuard), table);
  }

  private void fill() {
    b.begin();
    for (long id = 1; id <= ROWS; id++) {
      assertEquals(OK, b.insert(id, id, OWNER));
    }
    b.commit();
    b.begin();
    for (long id = 1; id <= ROWS; id++) {
      assertEquals(OK, b.get(id, READ));
      cvts.put(id, b.cvt());
    }
    assertEquals(OK, b.delete(DELETED));
    b.commit();
  }

  @AfterEach
  void close() {
    assertEquals(0, guarded.lockedRows());
    a.close();
    guarded.close();
    b.close();
    engine.close();
    assertEquals(0, engine.lockTable().heldCount());
  }

  private KeyBuffer key(long id) {
    KeyBuffer key = new KeyBuffer();
    a.key(id, key);
    return key;
  }

  private Outcome insertBatch(long... ids) {
    InsertBatch batch = a.transaction.newInsertBatch();
    for (long id : ids) {
      a.addTo(batch, id, id, OWNER);
    }
    return batch.execute();
  }

  private Outcome pointBatch(LockMode mode) {
    PointBatch batch = a.transaction.newPointBatch();
    for (long id : new long[] {2, 3, 5}) {
      batch.add(table, key(id), mode);
    }
    return batch.execute(mode);
  }

  private Outcome scan(IndexStore index, LockMode mode) {
    RangeScan scan = a.transaction.newRangeScan();
    RowBuffer row = new RowBuffer();
    Outcome status = scan.open(new ScanRange().all(index).lockMode(mode));
    while (status == OK) {
      status = scan.next(row);
    }
    return status == NOT_FOUND ? OK : status;
  }

  private Outcome tableScan() {
    TableScan scan = a.transaction.newTableScan();
    RowBuffer row = new RowBuffer();
    Outcome status = scan.openByHash(table, READ);
    while (status == OK) {
      status = scan.next(row);
    }
    scan.close();
    return status == NOT_FOUND ? OK : status;
  }

  private Outcome unlockedRead(long id) {
    UnlockedRead read = a.transaction.newUnlockedRead();
    read.open();
    read.enter();
    assertEquals(OK, a.get(id, READ));
    read.leave();
    guarded.record(); // rows are not locked before
    Outcome status = read.lock(table, key(id), WRITE);
    read.close();
    return status;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldPassEachRowOnce(boolean remote) {
    open(remote);
    fill();
    for (Way way : WAYS) {
      a.begin();
      guarded.record();
      assertEquals(OK, way.operation.apply(this), way.name);
      guarded.verify();
      Map<Long, LockMode> expected = new TreeMap<>();
      for (long id : way.ids) {
        expected.put(cvts.get(id), way.mode);
      }
      assertEquals(expected, guarded.posted(), way.name);
      a.abort();
      assertEquals(0, guarded.lockedRows(), way.name);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLeaveNothingBehindIfARowLockIsLost(boolean remote) {
    open(remote);
    fill();
    for (Way way : WAYS) {
      long lost = cvts.get(way.ids.get(way.ids.size() / 2));
      long liveBytes = engine.poolUsage().liveBytes();
      guarded.lockByAnother(lost);
      a.begin();
      Outcome lostOutcome = way.name.equals(UNLOCKED_READ) ? NOT_FOUND : CONFLICT;
      guarded.record();
      assertEquals(lostOutcome, way.operation.apply(this), way.name);
      guarded.verify();
      assertEquals(way.mode, guarded.posted().get(lost), way.name);
      assertEquals(0, a.coordinator.channel().mark(), way.name);
      a.abort();
      guarded.unlockByAnother(lost);
      assertEquals(0, guarded.lockedRows(), way.name);
      assertEquals(0, guarded.unjudgedRows, way.name);
      assertEquals(0, engine.lockTable().heldCount(), way.name);
      assertEquals(liveBytes, engine.poolUsage().liveBytes(), way.name);
      a.begin();
      assertEquals(OK, way.operation.apply(this), way.name);
      a.abort();
    }
  }

  /** The row may be the one whose CVT could not be locked, so another one does not count. */
  @Test
  void shouldNotPassOverALostRowWithTheSameLotusKey() {
    open(false);
    a.forceLotusKey(77);
    b.forceLotusKey(77);
    b.begin();
    assertEquals(OK, b.insert(1, 1, OWNER));
    assertEquals(OK, b.insert(2, 2, OWNER));
    b.commit();
    for (long id = 1; id <= 2; id++) {
      b.begin();
      assertEquals(OK, b.get(id, READ));
      b.commit();
      guarded.lockByAnother(b.cvt());
      a.begin();
      assertEquals(CONFLICT, a.get(id, READ));
      a.abort();
      guarded.unlockByAnother(b.cvt());
    }
  }

  /** The rows were posted in one flush, and their locks acquired, when the first was judged. */
  @Test
  void shouldReleaseLocksOfRowsThatWereNotJudged() {
    open(false);
    fill();
    for (Way way : WAYS) {
      guarded.failing = true;
      a.begin();
      assertThrows(IllegalStateException.class, () -> way.operation.apply(this), way.name);
      guarded.failing = false;
      assertNotEquals(0, guarded.lockedRows(), way.name);
      a.abort();
      assertEquals(0, guarded.lockedRows(), way.name);
      assertEquals(0, engine.lockTable().heldCount(), way.name);
    }
  }

  @Test
  void shouldValidateReadsBeforeTheCommit() {
    open(false);
    fill();
    for (boolean writes : new boolean[] {false, true}) {
      int validations = guarded.validations;
      guarded.validation = CONFLICT;
      a.begin();
      assertEquals(OK, writes ? a.update(3, 33, OWNER) : a.get(3, READ));
      assertEquals(CONFLICT, a.commit());
      assertEquals(validations + 1, guarded.validations);
      assertEquals(0, guarded.lockedRows());
      b.begin();
      assertEquals(3, b.balance(3));
      b.commit();
      guarded.validation = OK;
      a.begin();
      assertEquals(OK, a.update(3, 3, OWNER));
      assertEquals(OK, a.commit());
      assertEquals(0, guarded.lockedRows());
    }
  }

  @Test
  void shouldNotGuardReadsOfSnapshots() {
    open(false);
    fill();
    a.begin(Isolation.SNAPSHOT, false);
    guarded.record();
    assertEquals(3, a.balance(3));
    assertEquals(ROWS - 1, a.count(1, ROWS, READ));
    assertEquals(Map.of(), guarded.posted());
    guarded.record();
    assertEquals(3, a.balance(3, WRITE));
    guarded.verify();
    assertEquals(1, guarded.posted().size());
    a.commit();
  }

  /** Compares what random operations return with a model of the table. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldReadTheSameRowsWithAGuard(boolean remote) {
    open(remote);
    for (long seed = 0; seed < 20; seed++) {
      run(new SplittableRandom(seed));
    }
  }

  private void run(SplittableRandom random) {
    TreeMap<Long, Long> committed = new TreeMap<>();
    b.begin();
    b.ids(true).forEach(id -> committed.put(id, b.balance(id)));
    b.commit();
    for (int transactions = 0; transactions < 20; transactions++) {
      TreeMap<Long, Long> rows = new TreeMap<>(committed);
      a.begin(random.nextBoolean() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT, false);
      boolean locks = a.transaction.isolation() == Isolation.SERIALIZABLE;
      for (int operations = random.nextInt(6); operations >= 0; operations--) {
        guarded.record();
        operate(random, rows);
        if (locks) {
          guarded.verify();
        }
      }
      if (random.nextInt(4) == 0) {
        a.abort();
      } else {
        assertEquals(OK, a.commit());
        committed.clear();
        committed.putAll(rows);
      }
      assertEquals(0, guarded.lockedRows());
    }
  }

  private void operate(SplittableRandom random, NavigableMap<Long, Long> rows) {
    long id = random.nextLong(1, 30);
    long value = random.nextLong(1000);
    String owner = "o" + value % 3;
    boolean found = rows.containsKey(id);
    LockMode mode = random.nextBoolean() ? READ : WRITE;
    switch (random.nextInt(8)) {
      case 0 -> {
        assertEquals(found ? DUPLICATE : OK, a.insert(id, value, owner));
        rows.putIfAbsent(id, value);
      }
      case 1 -> {
        assertEquals(found ? OK : NOT_FOUND, a.update(id, value, owner));
        rows.computeIfPresent(id, (_, _) -> value);
      }
      case 2 -> assertEquals(rows.remove(id) == null ? NOT_FOUND : OK, a.delete(id));
      case 3 -> assertEquals(rows.getOrDefault(id, -1L), a.balance(id, mode));
      case 4 -> assertEquals(rows.subMap(id, true, id + 9, true).size(), a.count(id, id + 9, mode));
      case 5 -> {
        PointBatch batch = a.transaction.newPointBatch();
        LongStream.range(id, id + 9).forEach(each -> batch.add(table, key(each), mode));
        assertEquals(OK, batch.execute(READ));
        for (int i = 0; i < 9; i++) {
          assertEquals(rows.containsKey(id + i), batch.found(i));
        }
      }
      case 6 -> assertEquals(rows.size(), a.ids(byOwner, random.nextBoolean()).size());
      default -> {
        boolean free = rows.subMap(id, true, id + 2, true).isEmpty();
        assertEquals(free ? OK : DUPLICATE, insertBatch(id, id + 1, id + 2));
        LongStream.range(id, id + 3).filter(_ -> free).forEach(each -> rows.put(each, each));
      }
    }
  }
}
