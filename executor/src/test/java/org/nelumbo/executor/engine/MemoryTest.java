package org.nelumbo.executor.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;

class MemoryTest {
  private static final String FILLER = "x".repeat(20);

  @Test
  void shouldFailWhenPoolIsFullAndContinueAfterDeletes() {
    try (Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(4L << 20))) {
      TableStore table = Accounts.create(engine, 2);
      try (Accounts session = new Accounts(engine, table)) {
        int committed = 0;
        Outcome status = Outcome.OK;
        while (status == Outcome.OK) {
          session.begin();
          for (int i = 0; i < 10 && status == Outcome.OK; i++) {
            status = session.insert(committed * 10L + i, 1, FILLER);
          }
          if (status != Outcome.OK) {
            session.abort();
            break;
          }
          status = session.commit();
          committed += status == Outcome.OK ? 1 : 0;
        }
        assertEquals(Outcome.EXHAUSTED, status);
        assertEquals(ErrorCode.POOL_FULL, session.transaction.failure(status).code());
        assertTrue(committed > 100, "committed=" + committed);
        session.begin(Isolation.SNAPSHOT, true);
        assertEquals(committed * 10, session.ids(true).size());
        session.commit();
        freeHalf(session, committed * 10);
        session.begin();
        for (long id = 0; id < 10; id++) {
          assertEquals(Outcome.OK, session.insert(id, 2, FILLER));
          assertEquals(Outcome.OK, session.insert(20 + id, 2, FILLER));
        }
        assertEquals(Outcome.OK, session.commit());
      }
    }
  }

  private static void freeHalf(Accounts session, int rows) {
    for (long id = 0; id < rows; id += 20) {
      session.begin();
      for (long each = id; each < id + 10; each++) {
        assertEquals(Outcome.OK, session.delete(each));
      }
      assertEquals(Outcome.OK, session.commit());
    }
    session.coordinator.retireQueue().collect(rows);
  }

  /** An idle connection in a connection pool must not keep the rows that it deleted. */
  @Test
  @Timeout(120)
  void shouldCollectRowsDeletedByIdleCoordinator() {
    try (Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(64L << 20))) {
      TableStore table = Accounts.create(engine, 2);
      try (Accounts idle = new Accounts(engine, table);
          Accounts reader = new Accounts(engine, table)) {
        idle.begin();
        for (long id = 0; id < 100; id++) {
          idle.insert(id, 1, FILLER);
        }
        idle.commit();
        reader.begin(Isolation.SNAPSHOT, true);
        idle.begin();
        for (long id = 0; id < 100; id++) {
          idle.delete(id);
        }
        idle.commit();
        try (PoolInspector inspector = new PoolInspector(engine)) {
          assertEquals(100, inspector.rows(table), "a snapshot needs them");
        }
        reader.commit();
        long left;
        do {
          try (PoolInspector inspector = new PoolInspector(engine)) {
            left = inspector.rows(table);
          }
        } while (left > 0);
        idle.begin();
        assertEquals(Outcome.OK, idle.insert(5, 1, FILLER));
        idle.commit();
      }
    }
  }

  /**
   * At each moment some snapshot is younger than the oldest version of the row in the CVT, so that
   * no new version finds the chain of older ones unused.
   */
  @Test
  void shouldDropOldVersionsOfARowThatIsWrittenAllTheTime() {
    try (Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(64L << 20))) {
      TableStore table = Accounts.create(engine, 2);
      try (Accounts writer = new Accounts(engine, table);
          Accounts one = new Accounts(engine, table);
          Accounts other = new Accounts(engine, table)) {
        writer.begin();
        assertEquals(Outcome.OK, writer.insert(1, 0, FILLER));
        assertEquals(Outcome.OK, writer.commit());
        one.begin(Isolation.SNAPSHOT, true);
        long balance = writeBesideSnapshots(writer, one, other, 0, 50);
        long liveBytes = engine.poolUsage().liveBytes();
        writeBesideSnapshots(writer, one, other, balance, 1_000);
        assertTrue(
            engine.poolUsage().liveBytes() < liveBytes + (64 << 10), engine.poolUsage().toString());
        assertTrue(writer.coordinator.retireQueue().garbage().size() < 200);
        one.commit();
      }
    }
  }

  /**
   * Writes a row while two sessions alternate, so that their snapshots overlap by some versions.
   */
  private static long writeBesideSnapshots(
      Accounts writer, Accounts one, Accounts other, long before, int rounds) {
    long balance = before;
    for (int round = 0; round < rounds; round++) {
      Accounts begins = round % 2 == 0 ? other : one;
      begins.begin(Isolation.SNAPSHOT, true);
      assertEquals(balance, begins.balance(1));
      write(writer, balance, 10);
      (round % 2 == 0 ? one : other).commit();
      write(writer, balance + 10, 10);
      assertEquals(balance, begins.balance(1));
      balance += 20;
    }
    return balance;
  }

  private static void write(Accounts writer, long balance, int versions) {
    for (int i = 1; i <= versions; i++) {
      writer.begin();
      assertEquals(Outcome.OK, writer.update(1, balance + i, FILLER));
      assertEquals(Outcome.OK, writer.commit());
    }
  }

  /**
   * Memory that the sweeper has collected is available to all coordinators, even in a full pool.
   */
  @Test
  @Timeout(120)
  void shouldReuseMemoryOfRowsDeletedByIdleCoordinator() {
    try (Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(4L << 20))) {
      TableStore table = Accounts.create(engine, 2);
      try (Accounts idle = new Accounts(engine, table);
          Accounts other = new Accounts(engine, table)) {
        int rows = fill(idle, 0);
        for (long id = 0; id < rows; id++) {
          idle.begin();
          assertEquals(Outcome.OK, idle.delete(id));
          assertEquals(Outcome.OK, idle.commit());
        }
        long left;
        do {
          try (PoolInspector inspector = new PoolInspector(engine)) {
            left = inspector.rows(table);
          }
        } while (left > 0);
        int again = 0;
        while (again < rows * 0.8) {
          again += fill(other, rows + again);
        }
      }
    }
  }

  /** Inserts rows until the pool is full; returns their number. */
  private static int fill(Accounts session, int from) {
    for (int id = from; ; id++) {
      session.begin();
      Outcome status = session.insert(id, 1, FILLER);
      status = status == Outcome.OK ? session.commit() : status;
      if (status != Outcome.OK) {
        assertEquals(Outcome.EXHAUSTED, status);
        session.abort();
        return id - from;
      }
    }
  }

  @Test
  void shouldNotGrowWhileRowsAreUpdatedAndReplaced() {
    try (Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(16L << 20))) {
      TableStore table = Accounts.create(engine, 2);
      try (Accounts session = new Accounts(engine, table)) {
        for (int round = 0; round < 200_000; round++) {
          long id = round % 50;
          session.begin();
          Outcome status = round % 3 == 2 ? session.delete(id) : session.insert(id, round, FILLER);
          if (status == Outcome.DUPLICATE) {
            status = session.update(id, round, FILLER);
          }
          assertTrue(status == Outcome.OK || status == Outcome.NOT_FOUND, "status=" + status);
          assertEquals(Outcome.OK, session.commit());
        }
      }
    }
  }

  @Test
  @Timeout(120)
  void shouldKeepVersionsNeededBySnapshotAndThenFreeThem() {
    try (Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(64L << 20))) {
      TableStore table = Accounts.create(engine, 2);
      try (Accounts writer = new Accounts(engine, table);
          Accounts reader = new Accounts(engine, table)) {
        writer.begin();
        writer.insert(1, 0, FILLER);
        writer.commit();
        long liveBytes = engine.poolUsage().liveBytes();
        long mostBytes = 0;
        for (int round = 1; round <= 20; round++) {
          reader.begin(Isolation.SNAPSHOT, true);
          long before = reader.balance(1);
          for (int i = 1; i <= 1000; i++) {
            writer.begin();
            assertEquals(Outcome.OK, writer.update(1, round * 1000L + i, FILLER));
            assertEquals(Outcome.OK, writer.commit());
          }
          assertEquals(before, reader.balance(1));
          mostBytes = Math.max(mostBytes, engine.poolUsage().liveBytes());
          reader.commit();
        }
        assertTrue(mostBytes > liveBytes + (16 << 10), "mostBytes=" + mostBytes);
        while (engine.poolUsage().liveBytes() > liveBytes + (4 << 10)) {
          write(writer, 0, 1);
        }
      }
    }
  }

  @Test
  void shouldReportTooOldSnapshot() {
    EngineOptions options =
        EngineOptions.DEFAULT.withMemoryBytes(64L << 20).withSnapshotRetentionNanos(0);
    try (Engine engine = Engine.openMemory(options)) {
      TableStore table = Accounts.create(engine, 1);
      try (Accounts writer = new Accounts(engine, table);
          Accounts reader = new Accounts(engine, table)) {
        writer.begin();
        writer.insert(1, 0, null);
        writer.commit();
        reader.begin(Isolation.SNAPSHOT, true);
        writer.begin();
        writer.update(1, 1, null);
        writer.commit();
        for (int step = 0; step < 5; step++) {
          engine.epochs().refreshHorizon();
        }
        assertEquals(Outcome.TOO_OLD, reader.get(1, LockMode.READ));
        assertEquals(
            ErrorCode.SERIALIZATION_FAILURE, reader.transaction.failure(Outcome.TOO_OLD).code());
        reader.abort();
      }
    }
  }
}
