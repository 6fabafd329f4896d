package org.nelumbo.executor.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;

/** Tests that dropped tables and indexes free all of their memory exactly once. */
@Timeout(120)
class DropTest {
  private static final String SHORT = "a";
  private static final String LONG = "b".repeat(20);

  /** Tolerance in bytes: the time at which retired memory is freed varies by a few chunks. */
  private static final long SLACK_BYTES = 1 << 20;

  private static Engine open(long megabytes) {
    return Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(megabytes << 20));
  }

  private static void drop(Engine engine, TableStore table) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      engine.tables().drop(coordinator, table);
    }
  }

  private static void insert(Accounts session, int from, int to, String owner) {
    for (int id = from; id < to; id++) {
      session.begin();
      assertEquals(Outcome.OK, session.insert(id, id, owner));
      assertEquals(Outcome.OK, session.commit());
    }
  }

  /** Creates rows, versions in overflow chains that a snapshot keeps, and deleted rows. */
  private static void use(Engine engine, Accounts session) {
    insert(session, 0, 1_000, LONG);
    try (Accounts reader = new Accounts(engine, session.table)) {
      reader.begin(Isolation.SNAPSHOT, true);
      for (int round = 0; round < 4; round++) {
        for (int id = 0; id < 100; id++) {
          session.begin();
          assertEquals(Outcome.OK, session.update(id, round, round % 2 == 0 ? SHORT : LONG));
          assertEquals(Outcome.OK, session.commit());
        }
      }
      for (int id = 900; id < 1_000; id++) {
        session.begin();
        assertEquals(Outcome.OK, session.delete(id));
        assertEquals(Outcome.OK, session.commit());
      }
    }
  }

  @Test
  void shouldFreeAllMemoryOfDroppedTable() {
    try (Engine engine = open(64)) {
      TableStore first = Accounts.create(engine, 2);
      drop(engine, first);
      long liveBefore = engine.poolUsage().liveBytes();
      TableStore table = Accounts.create(engine, 2);
      Accounts.addOwnerIndex(engine, table, false);
      try (Accounts session = new Accounts(engine, table)) {
        use(engine, session);
        drop(engine, table);
      }
      assertEquals(liveBefore, engine.poolUsage().liveBytes());
      assertTrue(engine.poolUsage().isBalanced(), engine.poolUsage()::toString);
    }
  }

  @Test
  void shouldNotGrowWhileCreatingAndDroppingTables() {
    try (Engine engine = open(64)) {
      long taken = 0;
      for (int round = 0; round < 60; round++) {
        TableStore table = Accounts.create(engine, 2);
        Accounts.addOwnerIndex(engine, table, false);
        try (Accounts session = new Accounts(engine, table)) {
          use(engine, session);
        }
        drop(engine, table);
        taken = round == 4 ? engine.takenBytes() : taken;
      }
      assertTrue(engine.takenBytes() <= taken + SLACK_BYTES, engine.poolUsage()::toString);
    }
  }

  @Test
  void shouldNotGrowWhileCreatingAndDroppingIndexes() {
    try (Engine engine = open(64)) {
      TableStore table = Accounts.create(engine, 2);
      try (Accounts session = new Accounts(engine, table);
          Coordinator coordinator = engine.openCoordinator()) {
        use(engine, session);
        long taken = 0;
        long live = engine.poolUsage().liveBytes();
        for (int round = 0; round < 60; round++) {
          IndexStore index = Accounts.addOwnerIndex(engine, table, false);
          engine.tables().fillIndex(coordinator, index);
          table.removeIndex(index);
          engine.tables().dropIndex(coordinator, index);
          taken = round == 4 ? engine.takenBytes() : taken;
        }
        assertTrue(engine.takenBytes() <= taken + SLACK_BYTES, engine.poolUsage()::toString);
        // fewer if rows deleted by the session have been collected in the meantime
        assertTrue(engine.poolUsage().liveBytes() <= live, engine.poolUsage()::toString);
      }
    }
  }

  private static int fill(Engine engine, TableStore table, String owner) {
    try (Accounts session = new Accounts(engine, table)) {
      for (int id = 0; ; id++) {
        session.begin();
        Outcome status = session.insert(id, id, owner);
        status = status == Outcome.OK ? session.commit() : status;
        if (status != Outcome.OK) {
          assertEquals(Outcome.EXHAUSTED, status);
          return id;
        }
      }
    }
  }

  /** Returns the number of rows that fit into a pool in which no table was dropped before. */
  private static int roomFor(int versions, String owner) {
    try (Engine engine = open(8)) {
      TableStore kept = Accounts.create(engine, 2);
      try (Accounts session = new Accounts(engine, kept)) {
        insert(session, 0, 1_000, LONG);
        return fill(engine, Accounts.create(engine, versions), owner);
      }
    }
  }

  /** The memory of the dropped table can be used for rows of other sizes. */
  @Test
  void shouldUseAFullPoolAgainAfterDrop() {
    try (Engine engine = open(8)) {
      TableStore kept = Accounts.create(engine, 2);
      try (Accounts session = new Accounts(engine, kept)) {
        insert(session, 0, 1_000, LONG);
        for (int versions = 2; versions < 6; versions++) {
          String owner = versions % 2 == 0 ? SHORT : LONG;
          TableStore table = Accounts.create(engine, versions);
          int rows = fill(engine, table, owner);
          drop(engine, table);
          int room = roomFor(versions, owner);
          assertTrue(rows > room * 0.9, "versions=" + versions + " rows=" + rows + "/" + room);
        }
        session.begin(Isolation.SNAPSHOT, true);
        assertEquals(1_000, session.ids(true).size());
        assertEquals(999, session.balance(999));
      }
      assertTrue(engine.poolUsage().isBalanced(), engine.poolUsage()::toString);
    }
  }

  @Test
  void shouldForgetGarbageOfDroppedTable() {
    try (Engine engine = Accounts.quietEngine(64L << 20, UnaryOperator.identity())) {
      TableStore other = Accounts.create(engine, 2);
      TableStore table = Accounts.create(engine, 2);
      Accounts.addOwnerIndex(engine, table, false);
      try (Accounts session = new Accounts(engine, table);
          Accounts reader = new Accounts(engine, other)) {
        insert(session, 0, 200, LONG);
        reader.begin(Isolation.SNAPSHOT, true);
        for (int id = 0; id < 100; id++) {
          session.begin();
          assertEquals(Outcome.OK, session.delete(id));
          assertEquals(Outcome.OK, session.update(199 - id / 2, id, SHORT));
          assertEquals(Outcome.OK, session.commit());
        }
        assertTrue(session.coordinator.retireQueue().garbage().size() > 0);
        drop(engine, table);
        reader.commit();
        engine.epochs().refreshHorizon();
        session.coordinator.retireQueue().collect(Integer.MAX_VALUE);
        assertEquals(0, session.coordinator.retireQueue().garbage().size());
      }
      drop(engine, other);
      assertTrue(engine.poolUsage().isBalanced(), engine.poolUsage()::toString);
    }
  }

  /** Collectors of other coordinators process the tables that are dropped. */
  @Test
  void shouldDropWhileCollectorsWork() throws InterruptedException {
    try (Engine engine = open(64)) {
      drop(engine, Accounts.create(engine, 2));
      long live = engine.poolUsage().liveBytes();
      for (int round = 0; round < 30; round++) {
        TableStore table = Accounts.create(engine, 2);
        Accounts.addOwnerIndex(engine, table, false);
        dropUnderCollector(engine, table);
      }
      assertEquals(live, engine.poolUsage().liveBytes());
      assertTrue(engine.poolUsage().isBalanced(), engine.poolUsage()::toString);
    }
  }

  private static void dropUnderCollector(Engine engine, TableStore table)
      throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    CountDownLatch started = new CountDownLatch(1);
    try (Accounts session = new Accounts(engine, table);
        Accounts reader = new Accounts(engine, table)) {
      insert(session, 0, 500, LONG);
      reader.begin(Isolation.SNAPSHOT, true);
      assertEquals(0, reader.balance(0, LockMode.READ));
      for (int id = 0; id < 500; id++) {
        session.begin();
        assertEquals(Outcome.OK, session.delete(id));
        assertEquals(Outcome.OK, session.commit());
      }
      reader.commit();
      engine.epochs().refreshHorizon();
      Thread collecting =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((thread, thrown) -> failure.set(thrown))
              .start(
                  () -> {
                    started.countDown();
                    session.coordinator.retireQueue().collect(Integer.MAX_VALUE);
                  });
      assertTrue(started.await(60, TimeUnit.SECONDS));
      drop(engine, table);
      collecting.join();
    }
    assertEquals(null, failure.get());
  }
}
