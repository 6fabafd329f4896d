package org.nelumbo.executor.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.litmus.SteppingEnvironment;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.HybridClock;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.session.Isolation;

/**
 * Tests transactions that continue after the versions that they need are gone and their memory is
 * reused. Each result is that of the snapshot, or TOO_OLD; no exception is thrown and no operation
 * waits.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OldSnapshotTest {
  private static final long RETENTION_NANOS = 1_000_000_000L;
  private static final int ROWS = 90;
  private static final long BALANCE = 7;
  private static final String OWNER = "owner";

  private final SteppingEnvironment environment = new SteppingEnvironment();
  private HybridClock clock;
  private Engine engine;
  private TableStore table;

  private void open(boolean remote, boolean ordered, int versions) {
    Fabric memory = new LocalFabric(1, 1L << 26);
    PoolFormat.format(memory, 1);
    clock = new HybridClock(environment);
    engine =
        new Engine(
            environment,
            remote ? new DistantFabric(memory) : memory,
            EngineOptions.DEFAULT,
            clock,
            new Epochs(environment, clock, RETENTION_NANOS),
            new LockTable(environment, EngineOptions.DEFAULT.lockBuckets()));
    table =
        ordered ? Accounts.create(engine, versions) : Accounts.createUnordered(engine, versions);
    Accounts.addOwnerIndex(engine, table, false);
  }

  private void fill(Accounts session, int from, int to) {
    session.begin();
    for (int id = from; id < to; id++) {
      assertEquals(Outcome.OK, session.insert(id, BALANCE, OWNER));
    }
    assertEquals(Outcome.OK, session.commit());
  }

  private void delete(Accounts session, int from, int to) {
    session.begin();
    for (int id = from; id < to; id++) {
      session.delete(id);
    }
    assertEquals(Outcome.OK, session.commit());
  }

  /** Lets pinned snapshots exceed the retention, and collects the garbage. */
  private void passRetention(Accounts session) {
    for (int step = 0; step < 6; step++) {
      environment.advanceMicros(RETENTION_NANOS / 4000);
      clock.tick();
      engine.epochs().refreshHorizon();
      session.begin();
      session.commit();
    }
    try (Coordinator coordinator = engine.openCoordinator()) {
      coordinator.retireQueue().takeOrphans();
      coordinator.retireQueue().collect(Integer.MAX_VALUE);
    }
    session.coordinator.retireQueue().collect(Integer.MAX_VALUE);
  }

  /** Reuses freed memory for other rows, of other lengths and in another order. */
  private void reuse(Accounts session, Random random) {
    List<Integer> ids = new ArrayList<>();
    for (int id = 0; id < 2 * ROWS; id++) {
      ids.add(id);
    }
    java.util.Collections.shuffle(ids, random);
    session.begin();
    for (int id : ids) {
      Outcome status = session.insert(1000 + id, random.nextLong(), "x".repeat(random.nextInt(20)));
      assertTrue(status == Outcome.OK || status == Outcome.DUPLICATE, () -> "" + status);
    }
    assertEquals(Outcome.OK, session.commit());
  }

  @Property(seed = "1", tries = 150)
  void shouldReadSnapshotUntilTooOld(
      @ForAll long seed, @ForAll boolean remote, @ForAll boolean ordered, @ForAll boolean writing) {
    Random random = new Random(seed);
    open(remote, ordered, 1 + random.nextInt(2));
    try (Accounts writer = new Accounts(engine, table);
        Accounts reader = new Accounts(engine, table)) {
      fill(writer, 0, ROWS);
      reader.begin(Isolation.SNAPSHOT, !writing);
      LockMode mode = writing && random.nextBoolean() ? LockMode.WRITE : LockMode.READ;
      TableScan scan = reader.transaction.newTableScan();
      RowBuffer row = new RowBuffer();
      Set<Long> ids = new HashSet<>();
      assertEquals(Outcome.OK, scan.open(table, mode));
      int seen = 0;
      for (int taken = random.nextInt(80); seen < taken; seen++) {
        assertEquals(Outcome.OK, scan.next(row));
        assertOfSnapshot(row, ids);
      }
      if (random.nextBoolean()) {
        assertEquals(BALANCE, reader.balance(random.nextInt(ROWS)));
      }
      if (mode == LockMode.READ) {
        if (random.nextBoolean()) {
          delete(writer, 0, ROWS);
        } else {
          change(writer);
        }
      }
      passRetention(writer);
      reuse(writer, random);
      Set<Outcome> found = EnumSet.noneOf(Outcome.class);
      if (random.nextBoolean()) {
        Outcome status = Outcome.OK;
        while (status == Outcome.OK && seen <= ROWS) {
          status = scan.next(row);
          if (status == Outcome.OK) {
            seen++;
            assertOfSnapshot(row, ids);
          }
        }
        found.add(status);
      }
      found.add(reader.get(random.nextInt(ROWS), LockMode.READ));
      found.add(reader.get(-5, LockMode.READ));
      found.add(count(reader));
      if (writing) {
        found.add(reader.update(random.nextInt(ROWS), 1, "mine"));
      }
      assertEquals(
          Set.of(), without(found, Outcome.TOO_OLD, Outcome.CONFLICT), () -> "seed=" + seed);
      reader.abort();
    } finally {
      engine.close();
    }
  }

  /** Asserts that a scanned row has the values of {@link #fill}, and that it is the first time. */
  private void assertOfSnapshot(RowBuffer row, Set<Long> before) {
    long id = table.layout().getLong(row.bytes, row.offset, 0);
    assertTrue(id >= 0 && id < ROWS && before.add(id), () -> "id=" + id);
    assertEquals(BALANCE, table.layout().getLong(row.bytes, row.offset, 1), () -> "id=" + id);
    assertEquals(OWNER, table.layout().getObject(row.bytes, row.offset, 2), () -> "id=" + id);
  }

  private void change(Accounts session) {
    for (int turn = 0; turn < 3; turn++) {
      session.begin();
      for (int id = 0; id < ROWS; id++) {
        assertEquals(Outcome.OK, session.update(id, turn, "y".repeat(6 * turn)));
      }
      assertEquals(Outcome.OK, session.commit());
    }
  }

  private static Outcome count(Accounts session) {
    TableScan scan = session.transaction.newTableScan();
    Outcome status = scan.open(session.table, LockMode.READ);
    while (status == Outcome.OK) {
      status = scan.next(new RowBuffer());
    }
    return status;
  }

  private static Set<Outcome> without(Set<Outcome> found, Outcome... expected) {
    Set<Outcome> rest = EnumSet.noneOf(Outcome.class);
    rest.addAll(found);
    rest.removeAll(List.of(expected));
    return rest;
  }

  @Test
  void shouldReportTooOldForRowPurgedFromSnapshot() {
    open(false, true, 1);
    try (Accounts writer = new Accounts(engine, table);
        Accounts old = new Accounts(engine, table)) {
      fill(writer, 0, 2);
      old.begin(Isolation.SNAPSHOT, false);
      delete(writer, 0, 1);
      passRetention(writer);
      assertEquals(Outcome.TOO_OLD, old.update(0, 5, "late"), "it is there for the snapshot");
      old.abort();
    } finally {
      engine.close();
    }
  }
}
