package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.litmus.Interleaving;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;

/**
 * Inserts batches of rows into a table without ordered index while other sessions scan it,
 * interleaved before every verb and flush. A scan sees all rows of a batch or none, and the same
 * when repeated.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UnorderedInsertInterleavingTest {
  private static final int SCHEDULES = 400;
  private static final int TOGETHER = 5;

  private Interleaving interleaving = new Interleaving(0);
  private int committed;
  private int scans;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldPreventPhantoms(boolean remote) {
    Fabric memory = new LocalFabric(1, 1L << 28);
    Fabric fabric = remote ? new DistantFabric(memory) : memory;
    try (Engine engine = Accounts.steppedEngine(fabric, () -> interleaving.step())) {
      TableStore table = Accounts.createUnordered(engine, 2);
      try (Accounts one = new Accounts(engine, table);
          Accounts two = new Accounts(engine, table);
          Accounts scanner = new Accounts(engine, table);
          Accounts both = new Accounts(engine, table)) {
        for (int seed = 0; seed < SCHEDULES; seed++) {
          long id = 1000L * seed;
          interleaving = new Interleaving(seed);
          interleaving.actor(() -> insert(one, id, false));
          interleaving.actor(() -> insert(two, id + 100, false));
          interleaving.actor(() -> scanTwice(scanner));
          interleaving.actor(() -> insert(both, id + 200, true));
          interleaving.run();
          interleaving = new Interleaving(0);
          scanner.begin();
          assertEquals(committed, scan(scanner));
          assertEquals(Outcome.OK, scanner.commit());
          delete(scanner, id);
        }
      }
    }
    assertTrue(scans > SCHEDULES / 4, () -> "scans=" + scans);
  }

  private void insert(Accounts session, long from, boolean afterScan) {
    session.begin();
    InsertBatch batch = session.transaction.newInsertBatch();
    for (int i = 0; i < TOGETHER; i++) {
      session.addTo(batch, from + i, 1, null);
    }
    if ((!afterScan || scan(session) % TOGETHER == 0) && batch.execute() == Outcome.OK) {
      assertEquals(Outcome.OK, session.commit());
      committed += TOGETHER;
    } else {
      session.abort();
    }
  }

  private void scanTwice(Accounts session) {
    session.begin();
    int first = scan(session);
    int second = first < 0 ? first : scan(session);
    if (second >= 0) {
      assertEquals(0, first % TOGETHER);
      assertEquals(first, second);
      scans++;
      session.commit();
    } else {
      session.abort();
    }
  }

  /** Returns the number of rows, or a negative number after a conflict. */
  private static int scan(Accounts session) {
    TableScan scan = session.transaction.newTableScan();
    RowBuffer row = new RowBuffer();
    Outcome status = scan.open(session.table, LockMode.READ);
    int count = 0;
    while (status == Outcome.OK) {
      status = scan.next(row);
      count += status == Outcome.OK ? 1 : 0;
    }
    scan.close();
    return status == Outcome.NOT_FOUND ? count : -1;
  }

  /** Deletes rows, so that scans stay short. */
  private void delete(Accounts session, long from) {
    session.begin();
    for (long id = from; id < from + 300; id++) {
      Outcome status = session.delete(id);
      assertTrue(status == Outcome.OK || status == Outcome.NOT_FOUND);
      committed -= status == Outcome.OK ? 1 : 0;
    }
    assertEquals(Outcome.OK, session.commit());
  }
}
