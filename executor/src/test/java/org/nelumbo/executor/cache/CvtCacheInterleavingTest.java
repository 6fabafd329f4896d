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
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;

/**
 * Interleaves a writer and readers of one row before every verb and flush. A transaction that
 * begins after the acknowledgement of a commit reads its result, although CVTs are cached
 * (invariants 1 and 9).
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CvtCacheInterleavingTest {
  private static final int SCHEDULES = 1500;
  private static final int TURNS = 3;

  private Interleaving interleaving = new Interleaving(0);
  private long committed;

  @Test
  void shouldReadNoStaleRowsInAnyInterleaving() {
    Fabric fabric = new DistantFabric(new LocalFabric(1, 1L << 28));
    try (Engine engine = Accounts.steppedEngine(fabric, () -> interleaving.step())) {
      TableStore table = Accounts.create(engine, 2);
      try (Accounts writer = new Accounts(engine, table);
          Accounts snapshots = new Accounts(engine, table);
          Accounts others = new Accounts(engine, table);
          Accounts locking = new Accounts(engine, table)) {
        writer.begin();
        assertEquals(Outcome.OK, writer.insert(1, 0, null));
        writer.commit();
        for (long seed = 0; seed < SCHEDULES; seed++) {
          if (seed % 3 == 0) {
            engine.caches().cvts().remove(writer.lotusKey(1));
          }
          interleaving = new Interleaving(seed);
          interleaving.actor(() -> write(writer));
          interleaving.actor(() -> read(snapshots, true));
          interleaving.actor(() -> read(others, true));
          interleaving.actor(() -> read(locking, false));
          interleaving.run();
        }
      }
    }
  }

  private void write(Accounts session) {
    for (int turn = 0; turn < TURNS; turn++) {
      session.begin();
      if (session.update(1, committed + 1, null) == Outcome.OK) {
        assertEquals(Outcome.OK, session.commit());
        committed++;
      } else {
        session.abort();
      }
    }
  }

  private void read(Accounts session, boolean readOnly) {
    for (int turn = 0; turn < TURNS; turn++) {
      long before = committed;
      session.begin(Isolation.SERIALIZABLE, readOnly);
      if (session.get(1, LockMode.READ) == Outcome.OK) {
        long seen = session.balance(1);
        assertTrue(seen >= before, () -> "read " + seen + " after " + before + " was committed");
        session.commit();
      } else {
        session.abort();
      }
    }
  }
}
