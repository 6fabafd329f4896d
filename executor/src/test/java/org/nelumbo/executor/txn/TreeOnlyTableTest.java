package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.nelumbo.executor.outcome.Outcome.DUPLICATE;
import static org.nelumbo.executor.outcome.Outcome.NOT_FOUND;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.table.TableStore.TableRoots;
import org.nelumbo.session.Isolation;

/** Tests a table whose rows are found by its ordered primary index only. */
@Timeout(120)
class TreeOnlyTableTest extends TwoSessions {
  private static final int KEYS = 300;
  private static final int THREADS = 4;

  private void open(boolean remote) {
    open(remote, each -> Accounts.create(each, 2, false));
  }

  /** Opens the table once more, with its own copies of inner nodes. */
  private TableStore openAgain() {
    TableRoots roots = new TableRoots(table.hashRoot(), table.primary().root());
    return engine.tables().open(table.schema(), roots, List.of(), List.of());
  }

  private void verify(long rows) {
    assertEquals(rows, table.verify(a.coordinator.channel()));
  }

  @Test
  void shouldHaveNoHashIndex() {
    open(true);
    assertNull(table.hash());
    assertEquals(0, table.hashRoot());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldInsertEachKeyOnce(boolean remote) throws InterruptedException {
    open(remote);
    AtomicIntegerArray inserted = new AtomicIntegerArray(KEYS);
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int n = 0; n < THREADS; n++) {
      boolean batched = n % 2 == 0;
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler(
                  (thread, e) -> {
                    synchronized (failures) {
                      failures.add(e);
                    }
                  })
              .start(() -> insertAll(inserted, batched)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), failures);
    for (int id = 0; id < KEYS; id++) {
      assertEquals(1, inserted.get(id), "key " + id);
    }
    verify(KEYS);
  }

  private void insertAll(AtomicIntegerArray inserted, boolean batched) {
    try (Accounts session = new Accounts(engine, table)) {
      InsertBatch batch = session.transaction.newInsertBatch();
      for (int id = 0; id < KEYS; ) {
        session.begin();
        Outcome status;
        if (batched) {
          batch.clear();
          session.addTo(batch, id, 1, "o");
          session.addTo(batch, KEYS + id, 1, "o");
          status = batch.execute();
          status = status == OK ? session.delete(KEYS + id) : status;
        } else {
          status = session.insert(id, 1, "o");
        }
        if (status == OK && session.commit() == OK) {
          inserted.incrementAndGet(id++);
        } else {
          session.abort();
          id += status == DUPLICATE ? 1 : 0;
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRefuseDuplicatesWhereTheWayToTheLeafIsOutdated(boolean remote) {
    open(remote);
    TableStore again = openAgain();
    try (Accounts other = new Accounts(engine, again)) {
      other.begin();
      assertEquals(-1, other.balance(1)); // the only leaf is known
      assertEquals(OK, other.commit());
      fill(2000);
      InsertBatch batch = other.transaction.newInsertBatch();
      other.begin();
      for (int id = 1990; id < 2010; id++) {
        other.addTo(batch, id, 7, "p");
      }
      assertEquals(DUPLICATE, batch.execute());
      assertEquals(1990, 1990 + batch.failedRow());
      assertEquals(1, other.balance(1995));
      assertEquals(OK, other.commit());
      verify(2000);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldInsertDeletedRowsAgainWhereTheWayToTheLeafIsOutdated(boolean remote) {
    open(remote);
    TableStore again = openAgain();
    try (Accounts other = new Accounts(engine, again);
        Accounts reader = new Accounts(engine, table)) {
      other.begin();
      assertEquals(-1, other.balance(1));
      assertEquals(OK, other.commit());
      fill(2000);
      reader.begin(Isolation.SNAPSHOT, true);
      assertEquals(1, reader.balance(1995)); // holds back the collector
      a.begin();
      for (int id = 1990; id < 2000; id++) {
        assertEquals(OK, a.delete(id));
      }
      assertEquals(OK, a.commit());
      InsertBatch batch = other.transaction.newInsertBatch();
      other.begin();
      for (int id = 1980; id < 2010; id++) {
        if (id >= 1990) {
          other.addTo(batch, id, 7, "p");
        }
      }
      assertEquals(OK, batch.execute());
      assertEquals(OK, other.commit());
      assertEquals(1, reader.balance(1995));
      reader.commit();
      b.begin();
      assertEquals(7, b.balance(1995));
      assertEquals(7, b.balance(2005));
      assertEquals(OK, b.commit());
      verify(2010);
    }
  }

  @Test
  void shouldKeepRowsWithEqualLotusKeysApart() {
    open(true);
    long lotusKey = a.lotusKey(1);
    a.forceLotusKey(lotusKey);
    b.forceLotusKey(lotusKey);
    a.begin();
    assertEquals(OK, a.insert(1, 10, "x"));
    assertEquals(OK, a.insert(2, 20, "y"));
    assertEquals(OK, a.commit());
    b.begin();
    assertEquals(10, b.balance(1));
    assertEquals(20, b.balance(2));
    assertEquals(NOT_FOUND, b.get(3, LockMode.WRITE));
    assertEquals(OK, b.delete(1));
    assertEquals(20, b.balance(2));
    assertEquals(OK, b.commit());
    verify(2);
  }

  @Test
  void shouldBlockTheInsertOfKeyThatWasFoundAbsent() {
    open(true);
    fill(10);
    a.begin();
    assertEquals(-1, a.balance(50));
    b.begin();
    assertEquals(Outcome.CONFLICT, b.insert(50, 1, "o"));
    b.abort();
    assertEquals(OK, a.commit());
  }

  @Test
  void shouldDetectEntryThatLeadsToNoCvt() {
    open(false); // without a cache of CVTs
    fill(10);
    b.begin();
    assertEquals(1, b.balance(3));
    long cvt = b.cvt();
    assertEquals(OK, b.commit());
    Channel channel = a.coordinator.channel();
    channel.writeLong(cvt + CvtLayout.LOTUS_KEY_OFFSET, 12345);
    channel.writeLong(cvt + CvtLayout.STORE_ID_OFFSET, 12345);
    channel.flush();
    TableStore again = openAgain();
    try (Accounts other = new Accounts(engine, again)) {
      for (Isolation isolation : List.of(Isolation.SERIALIZABLE, Isolation.SNAPSHOT)) {
        other.begin(isolation, isolation == Isolation.SNAPSHOT);
        NelumboException e = assertThrows(NelumboException.class, () -> other.balance(3));
        assertEquals(ErrorCode.DATA_CORRUPTED, e.code());
        e = assertThrows(NelumboException.class, () -> other.ids(true));
        assertEquals(ErrorCode.DATA_CORRUPTED, e.code());
        other.abort();
      }
    }
  }
}
