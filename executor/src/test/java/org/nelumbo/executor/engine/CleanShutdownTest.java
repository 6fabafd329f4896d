package org.nelumbo.executor.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.alloc.FreeSpaceMap;
import org.nelumbo.dm.alloc.FreeSpaceMapWriter;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolOwner;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.recovery.DyingFabric;
import org.nelumbo.executor.recovery.PoolRecovery;
import org.nelumbo.executor.recovery.RecoveryReport;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;

/**
 * Compute nodes attach to a pool one after the other, and either leave in order, or fail during the
 * work, while leaving, or while attaching. The free-space map that a compute node writes when it
 * leaves agrees with a full inspection of the pool.
 */
@Timeout(120)
class CleanShutdownTest {
  private static final EngineOptions OPTIONS = EngineOptions.DEFAULT.withLockBuckets(1 << 8);
  private static final int ROWS = 300;

  private LocalFabric pool;
  private TableStore.TableRoots roots;
  private long ownerRoot;

  /** Balances of the accounts, without and with the effect of the current transaction. */
  private TreeMap<Long, Long> committed = new TreeMap<>();

  private TreeMap<Long, Long> next = committed;

  /** Last used id; ids are not reused. */
  private int lastId;

  /** A compute node that owns the pool. */
  private final class Life {
    final Fabric fabric;
    final long epoch;
    final Engine engine;
    final TableStore table;
    final RecoveryReport report;

    Life(Fabric fabric) {
      this(fabric, FreeSpaceMap.take(fabric));
    }

    Life(Fabric fabric, FreeSpaceMap freeSpaceMap) {
      this.fabric = fabric;
      epoch = PoolOwner.take(fabric, "me", 1);
      engine = new Engine(new SystemEnvironment(), fabric, OPTIONS);
      PoolRecovery recovery = new PoolRecovery(engine, freeSpaceMap);
      table =
          engine
              .tables()
              .open(
                  Accounts.schema(2),
                  roots,
                  List.of(IndexSchema.ascending(8, "BY_OWNER", false, 2)),
                  List.of(ownerRoot));
      recovery.recover(table);
      report = recovery.finish();
    }

    /** Inserts, updates, deletes and aborts, some of them during an old snapshot. */
    void work(Random random, int count) {
      try (Accounts session = new Accounts(engine, table);
          Accounts reader = new Accounts(engine, table)) {
        for (int i = 0; i < count; i++) {
          if (i % 10 == 2) {
            reader.begin(Isolation.SNAPSHOT, true);
            reader.balance(0);
          } else if (i % 10 == 8) {
            reader.commit();
          }
          transact(session, random);
        }
      }
    }

    private void transact(Accounts session, Random random) {
      TreeMap<Long, Long> model = new TreeMap<>(committed);
      session.begin();
      for (int changes = 1 + random.nextInt(12); changes > 0; changes--) {
        Long id = model.ceilingKey((long) random.nextInt(lastId + ROWS));
        long balance = random.nextInt(1000);
        String owner = "o" + random.nextInt(9);
        if (id == null) {
          assertEquals(Outcome.OK, session.insert(++lastId, balance, owner));
          model.put((long) lastId, balance);
        } else if (random.nextInt(3) == 0) {
          assertEquals(Outcome.OK, session.delete(id));
          model.remove(id);
        } else {
          assertEquals(Outcome.OK, session.update(id, balance, owner));
          model.put(id, balance);
        }
      }
      if (random.nextInt(8) == 0) {
        session.abort();
        return;
      }
      next = model;
      assertEquals(Outcome.OK, session.commit());
      committed = model;
    }

    /** Checks that all indexes contain exactly the committed rows. */
    void check() {
      try (Accounts session = new Accounts(engine, table)) {
        session.begin();
        TreeMap<Long, Long> found = new TreeMap<>();
        for (long id : session.ids(true)) {
          found.put(id, session.balance(id));
        }
        assertTrue(found.equals(committed) || found.equals(next), () -> found + " " + committed);
        List<Long> byOwner = new ArrayList<>(session.ids(table.indexes()[0], true));
        byOwner.sort(null);
        assertEquals(List.copyOf(found.keySet()), byOwner);
        session.commit();
        committed = found;
        next = found;
        session.transaction.begin(Isolation.SNAPSHOT, true);
        Channel channel = session.coordinator.channel();
        assertEquals(found.size(), table.verify(channel));
        assertEquals(found.size(), table.primary().tree().verify(channel));
        assertEquals(found.size(), table.indexes()[0].tree().verify(channel));
        session.commit();
      }
      assertTrue(engine.poolUsage().isBalanced(), engine.poolUsage().toString());
    }

    /** Leaves the pool; returns true if a free-space map was written. */
    boolean leave() {
      long first = engine.leaveLast(epoch);
      PoolOwner.leave(fabric);
      if (first != PoolAddress.NULL) {
        FreeSpaceMapWriter.publish(fabric, first);
      }
      return first != PoolAddress.NULL;
    }
  }

  private Fabric stranger() {
    return new DyingFabric(pool, 3);
  }

  private Life begin(int nodes) {
    pool = new LocalFabric(nodes, 8 << 20);
    PoolFormat.format(pool, 99);
    Engine engine = new Engine(new SystemEnvironment(), stranger(), OPTIONS);
    TableStore table = Accounts.create(engine, 2);
    ownerRoot = Accounts.addOwnerIndex(engine, table, false).root();
    roots = new TableStore.TableRoots(table.hashRoot(), table.primary().root());
    return new Life(stranger(), null);
  }

  @AfterEach
  void close() {
    if (pool != null) {
      pool.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void shouldWriteMapThatAgreesWithFullInspection(int nodes) {
    Random random = new Random(nodes);
    Life life = begin(nodes);
    for (int round = 0; round < 6; round++) {
      life.work(random, 60);
      assertTrue(life.leave());
      FreeSpaceMap freeSpaceMap = FreeSpaceMap.take(pool);
      assertNotNull(freeSpaceMap);
      Life looking = new Life(stranger(), null);
      assertFalse(looking.report.inOrder());
      assertEquals(looking.report.liveBytes(), freeSpaceMap.liveBytes());
      assertEquals(0, looking.report.undoneCells() + looking.report.removedEntries());
      looking.check();
      assertTrue(looking.leave());
      life = new Life(stranger());
      assertTrue(life.report.inOrder());
      life.check();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldRecoverAfterFailureAtAnyVerb(int nodes) {
    Random random = new Random(nodes);
    begin(nodes).leave();
    int inOrder = 0;
    for (int round = 0; round < 80; round++) {
      DyingFabric dying = new DyingFabric(pool, round);
      dying.dieAfter(random.nextInt(round % 2 == 0 ? 400 : 20_000));
      try {
        Life life = new Life(dying);
        life.check();
        life.work(random, 5);
        life.leave();
      } catch (DyingFabric.Death | NelumboException e) {
        assertTrue(dying.isDead(), e::toString); // the failure that the test has set
      }
      Life life = new Life(stranger());
      inOrder += life.report.inOrder() ? 1 : 0;
      life.check();
      life.work(random, 5);
      life.leave();
    }
    assertTrue(inOrder > 0 && inOrder < 80, "inOrder=" + inOrder);
  }

  /**
   * The writes of a free-space map reach the nodes in any order, except the last one, which
   * publishes it.
   */
  @Test
  void shouldIgnoreUnfinishedFreeSpaceMap() {
    Life life = begin(2);
    life.work(new Random(5), 30);
    DyingFabric counting = new DyingFabric(pool, 1);
    long first = life.engine.leaveLast(life.epoch);
    assertNotEquals(PoolAddress.NULL, first);
    counting.dieAfter(0);
    assertThrows(DyingFabric.Death.class, () -> FreeSpaceMapWriter.publish(counting, first));
    assertNull(FreeSpaceMap.take(pool));
    Life after = new Life(stranger());
    assertFalse(after.report.inOrder());
    after.check();
  }

  @Test
  void shouldWriteNoMapWhileCoordinatorIsOpen() {
    Life life = begin(1);
    life.work(new Random(5), 30);
    try (Accounts open = new Accounts(life.engine, life.table)) {
      open.begin();
      assertEquals(Outcome.OK, open.insert(10_000, 1, "o1"));
      assertFalse(life.leave());
    }
    assertNull(FreeSpaceMap.take(pool));
  }

  @Test
  void shouldRefuseCoordinatorsAfterLeaving() {
    Life life = begin(1);
    assertTrue(life.leave());
    NelumboException e =
        assertThrows(NelumboException.class, () -> life.engine.openCoordinator().close());
    assertEquals(ErrorCode.SHUT_DOWN, e.code());
  }

  @Test
  void shouldWriteNoMapAfterInterruptedCommit() {
    begin(1).leave();
    DyingFabric dying = new DyingFabric(pool, 1);
    Life life = new Life(dying);
    Accounts session = new Accounts(life.engine, life.table);
    session.begin();
    assertEquals(Outcome.OK, session.insert(10_000, 1, "o1"));
    assertEquals(Outcome.OK, session.insert(10_001, 1, "o1"));
    dying.dieAfter(5);
    assertThrows(DyingFabric.Death.class, session::commit);
    dying.dieAfter(Long.MAX_VALUE);
    session.close();
    assertFalse(life.leave());
  }
}
