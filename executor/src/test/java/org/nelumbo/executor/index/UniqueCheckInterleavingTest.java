package org.nelumbo.executor.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.litmus.Interleaving;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;

/**
 * Checks a unique value while other transactions change the row that has it, but not the value, and
 * their old versions are overwritten immediately. With sessions interleaved before every verb and
 * flush, the value never appears free.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UniqueCheckInterleavingTest {
  private static final int SCHEDULES = 600;

  private Interleaving interleaving = new Interleaving(0);
  private int refused;
  private long balance;

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldFindUniqueValueHolderDuringUpdates(int versions) {
    Fabric memory = new LocalFabric(1, 1L << 28);
    try (Engine engine = Accounts.steppedEngine(memory, () -> interleaving.step())) {
      TableStore table = Accounts.create(engine, versions);
      Accounts.addOwnerIndex(engine, table, true);
      try (Accounts asking = new Accounts(engine, table);
          Accounts changing = new Accounts(engine, table);
          Accounts other = new Accounts(engine, table)) {
        changing.begin();
        assertEquals(Outcome.OK, changing.insert(1, 0, "holder"));
        assertEquals(Outcome.OK, changing.commit());
        for (int seed = 0; seed < SCHEDULES; seed++) {
          interleaving = new Interleaving(seed);
          interleaving.actor(() -> ask(asking));
          interleaving.actor(() -> change(engine, changing));
          interleaving.actor(() -> change(engine, other));
          interleaving.run();
        }
      }
    }
    assertTrue(refused > SCHEDULES / 2, () -> "refused=" + refused);
  }

  private void ask(Accounts session) {
    session.begin();
    Outcome status = session.insert(2, 0, "holder");
    assertNotEquals(Outcome.OK, status, "a value that another row has");
    refused += status == Outcome.DUPLICATE ? 1 : 0;
    session.abort();
  }

  /**
   * Changes the row without changing its unique value, and inserts and deletes another row whose
   * unique value grows.
   */
  private void change(Engine engine, Accounts session) {
    for (int turn = 0; turn < 3; turn++) {
      session.begin();
      if (session.update(1, ++balance, "holder") == Outcome.OK) {
        engine.epochs().refreshHorizon();
        session.commit();
      } else {
        session.abort();
      }
      session.begin();
      if (session.insert(10 + turn, 0, "o" + ++balance) == Outcome.OK
          && session.delete(10 + turn) == Outcome.OK) {
        session.commit();
      } else {
        session.abort();
      }
    }
  }
}
