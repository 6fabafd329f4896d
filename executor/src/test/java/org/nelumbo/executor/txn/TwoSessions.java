package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.table.TableStore;

/**
 * Base class of tests with two sessions on one table of accounts. The engine has no background work
 * and counts round trips. Each test opens it as needed; when it is closed, no lock may be left.
 */
public abstract class TwoSessions {
  public Engine engine;
  public TableStore table;
  public Accounts a;
  public Accounts b;

  public final void open(boolean remote, Function<Engine, TableStore> create) {
    engine =
        Accounts.quietEngine(
            1L << 30, memory -> new CountingFabric(remote ? new DistantFabric(memory) : memory));
    table = create.apply(engine);
    a = new Accounts(engine, table);
    b = new Accounts(engine, table);
  }

  @AfterEach
  public final void close() {
    a.close();
    b.close();
    engine.close();
    assertEquals(0, engine.lockTable().heldCount());
  }

  /** Inserts accounts 0 to {@code count - 1}, each with its own owner. */
  public final void fill(int count) {
    InsertBatch batch = a.transaction.newInsertBatch();
    a.begin();
    for (int i = 0; i < count; i++) {
      a.addTo(batch, i, 1, owner(i));
    }
    assertEquals(OK, batch.execute());
    assertEquals(OK, a.commit());
    a.begin();
    assertEquals(OK, a.update(0, 2, owner(0)));
    assertEquals(OK, a.commit()); // the first commit creates the log
  }

  public static String owner(long id) {
    return String.format("o%06d", id);
  }

  public final long roundTrips() {
    return a.coordinator.counters().roundTrips();
  }
}
