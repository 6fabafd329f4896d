package org.nelumbo.executor.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Timestamps;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;

/** Tests commits on a pool whose clock is near the last timestamp. */
class LastTimestampsTest {
  @Test
  void shouldRefuseCommitsAndLoseNone() {
    try (Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(16L << 20))) {
      TableStore table = Accounts.create(engine, 2);
      try (Accounts session = new Accounts(engine, table)) {
        engine.clock().raiseTo(Timestamps.END - 2);
        assertEquals(Outcome.OK, insert(session, 1));
        assertEquals(Outcome.OK, insert(session, 2));
        for (int i = 0; i < 3; i++) {
          assertEquals(Outcome.NO_TIMESTAMPS, insert(session, 3));
        }
        assertEquals(
            ErrorCode.NO_TIMESTAMPS, session.transaction.failure(Outcome.NO_TIMESTAMPS).code());
        session.begin(Isolation.SNAPSHOT, true);
        assertEquals(2, session.ids(true).size());
        assertEquals(Outcome.OK, session.commit());
      }
    }
  }

  private static Outcome insert(Accounts session, long id) {
    session.begin();
    assertEquals(Outcome.OK, session.insert(id, 1, "some text"));
    return session.commit();
  }
}
