package org.nelumbo.executor.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;

/** Tests commits on a pool with fewer live copies than required. */
class MinCopiesTest {
  @Test
  void shouldRefuseCommitsWhileTooFewCopiesAreLive() {
    AtomicInteger copies = new AtomicInteger(3);
    EngineOptions options = EngineOptions.DEFAULT.withMemoryBytes(16L << 20).withMinCopies(2);
    try (Engine engine =
        Engine.openMemory(
            options,
            fabric ->
                new ForwardingFabric(fabric) {
                  @Override
                  public int liveCopies() {
                    return copies.get();
                  }
                })) {
      TableStore table = Accounts.create(engine, 2);
      try (Accounts session = new Accounts(engine, table)) {
        assertEquals(Outcome.OK, insert(session, 1));
        copies.set(2);
        assertEquals(Outcome.OK, insert(session, 2));
        copies.set(1);
        assertEquals(Outcome.TOO_FEW_COPIES, insert(session, 3));
        NelumboException e = session.transaction.failure(Outcome.TOO_FEW_COPIES);
        assertEquals(ErrorCode.TOO_FEW_COPIES, e.code());
        assertTrue(e.getMessage().contains("1 copies of the pool are live"), e.getMessage());
        session.begin(Isolation.SNAPSHOT, true);
        assertEquals(2, session.ids(true).size());
        assertEquals(Outcome.OK, session.commit());
        copies.set(3);
        assertEquals(Outcome.OK, insert(session, 3));
      }
      assertEquals(2, engine.transactionCounts().committedTo(3));
      assertEquals(1, engine.transactionCounts().committedTo(2));
      assertEquals(0, engine.transactionCounts().committedTo(1));
    }
  }

  private static Outcome insert(Accounts session, long id) {
    session.begin();
    assertEquals(Outcome.OK, session.insert(id, 1, "some text"));
    return session.commit();
  }
}
