package org.nelumbo.executor.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.litmus.Interleaving;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;

/**
 * Inserts a row while other sessions have prefetched its key as absent, interleaved before every
 * verb and flush. A lookup after the acknowledgement of the commit finds the row.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NegativeLookupInterleavingTest {
  private static final int SCHEDULES = 2000;

  private Interleaving interleaving = new Interleaving(0);
  private boolean committed;
  private long repliesUsed;

  @Test
  void shouldFindRowsThatCameAfterTheLookAhead() {
    Fabric fabric = new DistantFabric(new LocalFabric(1, 1L << 28));
    try (Engine engine = Accounts.steppedEngine(fabric, () -> interleaving.step())) {
      TableStore table = Accounts.create(engine, 2);
      try (Accounts writer = new Accounts(engine, table);
          Accounts snapshots = new Accounts(engine, table);
          Accounts both = new Accounts(engine, table);
          Accounts locking = new Accounts(engine, table)) {
        for (long seed = 0; seed < SCHEDULES; seed++) {
          long id = 2 * seed;
          committed = false;
          interleaving = new Interleaving(seed);
          interleaving.actor(() -> write(writer, id));
          interleaving.actor(() -> read(snapshots, id, Isolation.SERIALIZABLE, true));
          interleaving.actor(() -> read(both, id, Isolation.SNAPSHOT, false));
          interleaving.actor(() -> read(locking, id, Isolation.SERIALIZABLE, false));
          interleaving.run();
        }
      }
    }
    assertTrue(repliesUsed > SCHEDULES / 4, () -> "answersUsed=" + repliesUsed);
  }

  private void write(Accounts session, long id) {
    for (int turn = 0; turn < 3 && !committed; turn++) {
      session.begin();
      if (session.insert(id, 7, null) == Outcome.OK && turn > 0) {
        assertEquals(Outcome.OK, session.commit());
        committed = true;
      } else {
        session.abort();
      }
    }
  }

  private void read(Accounts session, long id, Isolation isolation, boolean readOnly) {
    for (int turn = 0; turn < 3; turn++) {
      boolean visible = committed;
      session.begin(isolation, readOnly);
      lookAhead(session, id);
      visible |= isolation == Isolation.SERIALIZABLE && !readOnly && committed;
      repliesUsed += session.isKnownAbsent(id) ? 1 : 0;
      Outcome status = session.get(id, LockMode.READ);
      if (status == Outcome.OK || status == Outcome.NOT_FOUND) {
        assertTrue(status == Outcome.OK || !visible, "the row was committed before");
        assertEquals(status, session.get(id, LockMode.READ), "the same again");
        session.commit();
      } else {
        session.abort();
      }
    }
  }

  /** Prefetches two keys; a single key is not prefetched. */
  private static void lookAhead(Accounts session, long id) {
    PrefetchHints prefetchHints = session.transaction.newPrefetchHints();
    KeyBuffer key = new KeyBuffer();
    for (long each = id; each < id + 2; each++) {
      session.key(each, key);
      prefetchHints.add(session.table, key, false);
    }
    prefetchHints.fetch();
  }
}
