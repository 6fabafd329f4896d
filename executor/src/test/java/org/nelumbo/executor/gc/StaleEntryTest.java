package org.nelumbo.executor.gc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;

/**
 * Tests entries of a secondary index that outlive their rows, because their coordinator has not
 * collected them yet.
 */
class StaleEntryTest {
  private static final int ROWS = 40;

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldNotFollowStaleEntriesIntoReusedMemory(int versions) {
    try (Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(64L << 20))) {
      TableStore table = Accounts.create(engine, versions);
      IndexStore index = Accounts.addOwnerIndex(engine, table, false);
      try (Accounts idle = new Accounts(engine, table);
          Accounts busy = new Accounts(engine, table)) {
        leaveStaleEntries(engine, idle, busy, "old");
        idle.begin(Isolation.SNAPSHOT, true);
        assertEquals(List.of(), idle.ids(index, true), "snapshot");
        idle.commit();
        leaveStaleEntries(engine, idle, busy, "new");
        busy.begin();
        assertEquals(List.of(), busy.ids(index, true), "serializable");
        busy.commit();
      }
    }
  }

  @Test
  void shouldNotMistakeReusedMemoryForUniqueValueHolder() {
    try (Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(64L << 20))) {
      TableStore table = Accounts.create(engine, 1);
      Accounts.addOwnerIndex(engine, table, true);
      try (Accounts idle = new Accounts(engine, table);
          Accounts busy = new Accounts(engine, table)) {
        leaveStaleEntries(engine, idle, busy, "unique");
        busy.begin();
        for (int id = 0; id < ROWS; id++) {
          assertEquals(Outcome.OK, busy.insert(1000 + id, 1, "unique" + id));
        }
        assertEquals(Outcome.OK, busy.commit());
      }
    }
  }

  /**
   * Lets {@code idle} change rows without collecting garbage afterwards, while {@code busy} deletes
   * and collects the rows, and reuses their memory for records full of text.
   */
  private static void leaveStaleEntries(Engine engine, Accounts idle, Accounts busy, String owner) {
    change(busy, id -> busy.insert(id, 1, owner + id));
    change(idle, id -> idle.update(id, 2, owner + "'" + id));
    change(busy, id -> busy.delete(id));
    for (int round = 0; round < 20; round++) {
      engine.epochs().refreshHorizon();
      change(busy, id -> busy.insert(5000 + id, -1L, null));
      change(busy, id -> busy.update(5000 + id, -1L, null));
      engine.epochs().refreshHorizon();
      change(busy, id -> busy.delete(5000 + id));
    }
  }

  private interface Change {
    Outcome apply(int id);
  }

  private static void change(Accounts session, Change change) {
    session.begin();
    for (int id = 0; id < ROWS; id++) {
      assertEquals(Outcome.OK, change.apply(id));
    }
    assertEquals(Outcome.OK, session.commit());
  }
}
