package org.nelumbo.executor.gc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.outcome.Outcome.OK;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.engine.PoolInspector;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.executor.txn.TwoSessions;

/** Tests that a corrupt row that cannot be removed affects neither commits nor other garbage. */
@Timeout(120)
class CorruptGarbageTest extends TwoSessions {
  private static final int ROWS = 40;
  private static final int CORRUPT = 3;

  /** Removes the only record of a deleted row. */
  private void corrupt(long cvt) {
    Channel channel = b.coordinator.channel();
    int mark = channel.mark();
    int offset = channel.reserve(table.cvtBytes());
    channel.read(cvt, offset, table.cvtBytes());
    channel.flush();
    for (int cell = 0; cell < table.versions(); cell++) {
      if (CellLayout.hasRecord(CvtLayout.word0(channel.staging(), offset, cell))) {
        channel.writeLong(cvt + CvtLayout.cellOffset(cell), 0);
      }
    }
    channel.flush();
    channel.release(mark);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSkipCorruptRowAndContinue(boolean remote) {
    open(remote, each -> Accounts.create(each, 2));
    Accounts.addOwnerIndex(engine, table, false);
    a.begin();
    for (long id = 0; id <= ROWS; id++) {
      assertEquals(OK, a.insert(id, id * 10, "o" + id % 3));
    }
    assertEquals(OK, a.commit());
    b.begin();
    for (long id = 0; id < ROWS; id++) {
      assertEquals(OK, b.delete(id));
    }
    assertEquals(OK, b.commit());
    RetireQueue retired = b.coordinator.retireQueue();
    corrupt(retired.garbage().peek(CORRUPT).cvt);
    for (int round = 0; round < 20; round++) {
      engine.epochs().refreshHorizon();
      b.begin();
      assertEquals(OK, b.update(ROWS, round, "o" + ROWS % 3));
      assertEquals(OK, b.commit());
      if (remote) {
        retired.collect(16);
      }
    }
    assertEquals(0, retired.garbage().size());
    assertTrue(engine.leftovers() > 0, "nobody is told");
    assertFalse(engine.isStopped());
    assertEquals(0, engine.lockTable().heldCount());
    try (PoolInspector inspector = new PoolInspector(engine)) {
      assertEquals(2, inspector.rows(table));
    }
  }
}
