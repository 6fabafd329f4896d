package org.nelumbo.executor.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.outcome.Outcome.OK;
import static org.nelumbo.session.Isolation.SNAPSHOT;

import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.session.Isolation;

/**
 * Tests the round trips that the CVT cache saves on a remote fabric, and that cached CVTs are never
 * visibly stale.
 */
class CvtCacheTest extends CachedRowsContract {
  @Override
  Engine newEngine() {
    return Engine.openMemory(
        EngineOptions.DEFAULT.withMemoryBytes(1L << 30),
        fabric -> new CountingFabric(new DistantFabric(fabric)));
  }

  /** Removes the CVT of a row from the cache, as on a compute node that has not read it. */
  private void forget(long id) {
    engine.caches().cvts().remove(a.lotusKey(id));
  }

  @Test
  void shouldReadARowInOneRoundTripOnceItIsKnown() {
    for (Isolation isolation : Isolation.values()) {
      for (boolean readOnly : new boolean[] {true, false}) {
        forget(3);
        a.begin(isolation, readOnly);
        assertEquals(
            2, a.roundTrips(() -> assertEquals(103, a.balance(3))), "index, CVT with record");
        a.commit();
        a.begin(isolation, readOnly);
        assertEquals(1, a.roundTrips(() -> assertEquals(103, a.balance(3))), "record");
        a.commit();
      }
    }
  }

  @Test
  void shouldCacheInsertedAndUpdatedRows() {
    a.begin();
    a.insert(20, 5, null);
    a.update(4, 6, null);
    a.commit();
    a.begin(SNAPSHOT, true);
    assertEquals(1, a.roundTrips(() -> assertEquals(5, a.balance(20))));
    assertEquals(1, a.roundTrips(() -> assertEquals(6, a.balance(4))));
    a.commit();
  }

  @Test
  void shouldReadABatchInOneRoundTripOnceItIsKnown() {
    a.begin();
    PointBatch batch = a.transaction.newPointBatch();
    KeyBuffer key = new KeyBuffer();
    for (int id = 0; id < 10; id++) {
      a.key(id, key);
      batch.add(table, key);
    }
    assertEquals(1, a.roundTrips(() -> assertEquals(OK, batch.execute(LockMode.READ))));
    for (int id = 0; id < 10; id++) {
      assertTrue(batch.found(id));
    }
    a.commit();
  }

  @Test
  void shouldKeepAddressesOfEvictedCvts() {
    try (Engine small =
            Engine.openMemory(
                EngineOptions.DEFAULT.withMemoryBytes(1L << 30).withCachedCvts(8),
                fabric -> new CountingFabric(new DistantFabric(fabric)));
        Accounts some = new Accounts(small, Accounts.create(small, 2))) {
      some.begin();
      for (int id = 0; id < 500; id++) {
        some.insert(id, id, null);
      }
      some.commit();
      int direct = 0;
      some.begin(SNAPSHOT, true);
      for (int id = 0; id < 500; id++) {
        int wanted = id;
        direct += some.roundTrips(() -> assertEquals(wanted, some.balance(wanted))) == 1 ? 1 : 0;
      }
      some.commit();
      assertTrue(direct > 480, "without the index: " + direct);
    }
  }

  @Test
  void shouldFindReinsertedRowAtNewAddress() {
    try (Engine small =
            Engine.openMemory(
                EngineOptions.DEFAULT.withMemoryBytes(1L << 30).withCachedCvts(2),
                fabric -> new CountingFabric(new DistantFabric(fabric)));
        Accounts some = new Accounts(small, Accounts.create(small, 2))) {
      for (int round = 0; round < 100; round++) {
        some.begin();
        for (int id = 0; id < 10; id++) {
          assertEquals(OK, some.insert(id, round, null));
        }
        some.commit();
        some.begin(SNAPSHOT, true);
        for (int id = 0; id < 10; id++) {
          assertEquals(round, some.balance(id));
        }
        some.commit();
        some.begin();
        for (int id = 0; id < 10; id++) {
          assertEquals(OK, some.delete(id));
        }
        some.commit();
        for (int i = 0; i < 10; i++) { // the collector removes the rows
          some.begin();
          assertEquals(-1, some.balance(i));
          some.commit();
        }
      }
    }
  }

  @Test
  void shouldReadARecordOnceInATransaction() {
    // Delays the collector, which evicts each row whose old versions it frees.
    Accounts snapshot = new Accounts(engine, table);
    snapshot.begin(SNAPSHOT, true);
    a.begin();
    assertEquals(1, a.roundTrips(() -> assertEquals(104, a.balance(4))));
    assertEquals(0, a.roundTrips(() -> assertEquals(104, a.balance(4))));
    assertEquals(0, a.roundTrips(() -> assertEquals(OK, a.update(4, 5, null))));
    assertEquals(2, a.roundTrips(a::commit));
    a.begin();
    assertEquals(1, a.roundTrips(() -> assertEquals(5, a.balance(4))));
    a.abort();
    b.begin();
    b.update(4, 6, null);
    b.commit();
    a.begin();
    assertEquals(1, a.roundTrips(() -> assertEquals(6, a.balance(4))));
    a.commit();
    snapshot.close();
  }

  @Test
  void shouldDiscardPrefetchedRowsChangedSince() {
    a.begin();
    PrefetchHints ahead = a.transaction.newPrefetchHints();
    KeyBuffer key = new KeyBuffer();
    for (int id = 0; id < 10; id++) {
      forget(id);
      a.key(id, key);
      ahead.add(table, key, false);
    }
    assertEquals(2, a.roundTrips(ahead::fetch), "index, CVTs with records");
    b.begin();
    b.update(3, 33, null);
    b.delete(7);
    b.commit();
    assertEquals(0, a.roundTrips(() -> assertEquals(102, a.balance(2))));
    assertEquals(33, a.balance(3));
    assertEquals(-1, a.balance(7));
    assertEquals(OK, a.update(2, 22, null));
    a.commit();
    a.begin();
    assertEquals(22, a.balance(2));
    a.commit();
  }

  @Test
  void shouldFindRowsWithOneLotusKeyInABatch() {
    a.forceLotusKey(77 << 12);
    a.begin();
    a.insert(101, 1, null);
    a.insert(102, 2, null);
    a.commit();
    a.begin();
    PointBatch batch = a.transaction.newPointBatch();
    KeyBuffer key = new KeyBuffer();
    for (int id = 101; id <= 103; id++) {
      a.key(id, key);
      batch.add(table, key);
    }
    assertEquals(OK, batch.execute(LockMode.WRITE));
    assertTrue(batch.found(0));
    assertTrue(batch.found(1));
    assertTrue(!batch.found(2));
    a.commit();
  }
}
