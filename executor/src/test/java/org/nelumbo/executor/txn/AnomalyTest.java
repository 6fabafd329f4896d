package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.outcome.Outcome.CONFLICT;
import static org.nelumbo.executor.outcome.Outcome.OK;
import static org.nelumbo.session.Isolation.SERIALIZABLE;
import static org.nelumbo.session.Isolation.SNAPSHOT;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;

/**
 * Tests the textbook anomalies, step by step: none can occur under SR, and under SI only those that
 * it permits. Conflicts fail immediately, so that one thread can play all parts.
 */
class AnomalyTest {
  private Engine engine;
  private TableStore table;
  private Accounts a;
  private Accounts b;
  private Accounts c;

  @BeforeEach
  void open() {
    engine =
        Engine.openMemory(
            EngineOptions.DEFAULT
                .withMemoryBytes(1L << 30)
                .withConflictPolicy(ConflictPolicy.NO_WAIT));
    table = Accounts.create(engine, 2);
    a = new Accounts(engine, table);
    b = new Accounts(engine, table);
    c = new Accounts(engine, table);
    a.begin();
    a.insert(1, 50, null);
    a.insert(2, 50, null);
    a.commit();
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
    c.close();
    engine.close(); // first, since its sweeper acquires locks, too
    assertEquals(0, engine.lockTable().heldCount());
  }

  /** Waits until no locks are left; the sweeper may hold one for a short time. */
  private void awaitNoLocks() {
    while (engine.lockTable().heldCount() > 0) {
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void shouldPreventWriteSkewUnderSerializable() {
    a.begin();
    b.begin();
    assertEquals(100, a.balance(1) + a.balance(2));
    assertEquals(100, b.balance(1) + b.balance(2));
    assertEquals(CONFLICT, a.update(1, -40, null));
    a.abort();
    assertEquals(OK, b.update(2, -40, null));
    assertEquals(OK, b.commit());
  }

  @Test
  void shouldAllowWriteSkewUnderSnapshot() {
    a.begin(SNAPSHOT, false);
    b.begin(SNAPSHOT, false);
    assertEquals(100, a.balance(1) + a.balance(2));
    assertEquals(100, b.balance(1) + b.balance(2));
    assertEquals(OK, a.update(1, -40, null));
    assertEquals(OK, b.update(2, -40, null));
    assertEquals(OK, a.commit());
    assertEquals(OK, b.commit());
  }

  @Test
  void shouldPreventLostUpdateUnderSerializable() {
    a.begin();
    b.begin();
    assertEquals(50, a.balance(1));
    assertEquals(50, b.balance(1));
    assertEquals(CONFLICT, a.update(1, 60, null));
    a.abort();
    assertEquals(OK, b.update(1, 70, null));
    b.commit();
    a.begin();
    assertEquals(70, a.balance(1));
    a.commit();
  }

  @Test
  void shouldPreventLostUpdateUnderSnapshot() {
    a.begin(SNAPSHOT, false);
    b.begin(SNAPSHOT, false);
    assertEquals(50, a.balance(1));
    assertEquals(50, b.balance(1));
    assertEquals(OK, a.update(1, 60, null));
    assertEquals(CONFLICT, b.update(1, 70, null));
    b.abort();
    a.commit();
    b.begin(SNAPSHOT, false);
    assertEquals(60, b.balance(1));
    b.commit();
  }

  @Test
  void shouldPreventReadSkew() {
    for (Isolation isolation : Isolation.values()) {
      a.begin(isolation, true);
      assertEquals(50, a.balance(1));
      b.begin();
      b.update(1, 40, null);
      b.update(2, 60, null);
      b.commit();
      assertEquals(50, a.balance(2));
      a.commit();
      b.begin();
      b.update(1, 50, null);
      b.update(2, 50, null);
      b.commit();
    }
  }

  @Test
  void shouldNotLetAReaderMissAWriterUnderSerializable() {
    a.begin();
    assertEquals(50, a.balance(1));
    b.begin();
    assertEquals(CONFLICT, b.update(1, 40, null));
    b.abort();
    assertEquals(50, a.balance(2));
    a.commit();
  }

  @Test
  void shouldPreventPhantomsInARange() {
    a.begin();
    assertEquals(2, a.count(0, 100, LockMode.READ));
    b.begin();
    assertEquals(CONFLICT, b.insert(7, 1, null));
    b.abort();
    assertEquals(2, a.count(0, 100, LockMode.READ));
    a.commit();
  }

  @Test
  void shouldPreventPhantomsInARangeThatWasInsertedFirst() {
    b.begin();
    assertEquals(OK, b.insert(7, 1, null));
    a.begin();
    assertEquals(-CONFLICT.ordinal(), a.count(0, 100, LockMode.READ));
    a.abort();
    b.abort();
    a.begin();
    assertEquals(2, a.count(0, 100, LockMode.READ));
    a.commit();
  }

  @Test
  void shouldPreventPhantomsOfAMissingKey() {
    a.begin();
    assertEquals(-1, a.balance(9));
    b.begin();
    assertEquals(CONFLICT, b.insert(9, 1, null));
    b.abort();
    assertEquals(OK, a.insert(9, 2, null));
    assertEquals(OK, a.commit());
  }

  @Test
  void shouldPreventPhantomsByDeletion() {
    a.begin();
    assertEquals(2, a.count(0, 100, LockMode.READ));
    b.begin();
    assertEquals(CONFLICT, b.delete(2));
    b.abort();
    a.commit();
  }

  @Test
  void shouldLetOnlyScannerInsertIntoScannedRange() {
    a.begin();
    assertEquals(2, a.count(0, 100, LockMode.READ));
    assertEquals(OK, a.insert(7, 1, null));
    assertEquals(3, a.count(0, 100, LockMode.READ));
    assertEquals(OK, a.commit());
  }

  @Test
  void shouldLetTwoInsertersShareALeaf() {
    a.begin();
    b.begin();
    assertEquals(OK, a.insert(7, 1, null));
    assertEquals(OK, b.insert(8, 1, null));
    assertEquals(OK, a.commit());
    assertEquals(OK, b.commit());
  }

  @Test
  void shouldNotForkSnapshots() {
    a.begin(SERIALIZABLE, true);
    c.begin();
    c.update(1, 51, null);
    c.commit();
    b.begin(SERIALIZABLE, true);
    c.begin();
    c.update(2, 52, null);
    c.commit();
    assertEquals(50, a.balance(1));
    assertEquals(50, a.balance(2));
    assertEquals(51, b.balance(1));
    assertEquals(50, b.balance(2));
    a.commit();
    b.commit();
  }

  @Test
  void shouldReleaseOnlyOwnLocksOnAbort() {
    a.begin();
    b.begin();
    assertEquals(OK, a.update(1, 1, null));
    assertEquals(CONFLICT, b.update(1, 2, null));
    b.abort();
    c.begin();
    assertEquals(CONFLICT, c.update(1, 3, null));
    c.abort();
    assertEquals(OK, a.commit());
  }

  @Test
  void shouldDistinguishRowsWithSameLotusKey() {
    a.forceLotusKey(0x123456789L);
    b.forceLotusKey(0x123456789L);
    a.begin();
    assertEquals(OK, a.insert(11, 110, null));
    assertEquals(OK, a.insert(12, 120, null));
    assertEquals(110, a.balance(11));
    b.begin();
    assertEquals(CONFLICT, b.get(12, LockMode.READ));
    b.abort();
    assertEquals(OK, a.commit());
    a.begin();
    assertEquals(110, a.balance(11));
    assertEquals(OK, a.update(11, 111, null));
    assertEquals(OK, a.update(12, 121, null));
    assertEquals(OK, a.commit());
    b.begin(SNAPSHOT, true);
    assertEquals(111, b.balance(11));
    assertEquals(121, b.balance(12));
    b.commit();
    a.begin();
    assertEquals(OK, a.delete(11));
    assertEquals(121, a.balance(12));
    assertEquals(OK, a.commit());
    awaitNoLocks();
  }

  @Test
  void shouldReleaseEverythingWhenAConnectionCloses() {
    a.begin();
    a.update(1, 0, null);
    a.insert(3, 0, null);
    a.count(0, 100, LockMode.READ);
    a.close();
    awaitNoLocks();
    b.begin();
    assertEquals(50, b.balance(1));
    assertEquals(-1, b.balance(3));
    b.commit();
  }
}
