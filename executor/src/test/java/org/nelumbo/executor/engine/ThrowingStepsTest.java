package org.nelumbo.executor.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.recovery.PoolRecovery;
import org.nelumbo.executor.recovery.ThrowingFabric;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.executor.txn.InsertBatch;
import org.nelumbo.session.Isolation;

/**
 * Throws an exception or error, such as for lack of heap or stack, at each point of a transaction
 * where it accesses the pool. A commit is complete or has no effect. The engine either continues
 * normally, or has stopped and reports that; then the next engine that attaches finds a consistent
 * pool. Every 23rd point is tested; {@code -Dnelumbo.throwing.step=1} tests all of them.
 */
@Timeout(240)
class ThrowingStepsTest {
  private static final int ROWS = 70;
  private static final int TRANSACTIONS = 7;
  private static final EngineOptions OPTIONS =
      EngineOptions.DEFAULT.withLockBuckets(1 << 8).withCachedCvts(1000);

  /** Balance and owner of each account. */
  private static final class Model extends TreeMap<Long, String> {
    private static final long serialVersionUID = 1L;

    Model copy() {
      Model copy = new Model();
      copy.putAll(this);
      return copy;
    }
  }

  /** A pool with its first rows, and the compute node that inserted them. */
  private static final class Scene implements AutoCloseable {
    final LocalFabric pool = new LocalFabric(2, 8 << 20);
    final ThrowingFabric fabric;
    final int versions;
    final Engine engine;
    final TableStore table;
    final long ownerRoot;
    final Accounts first;
    final Accounts second;

    /** A session in a transaction that stays idle until the exception was thrown. */
    final Accounts third;

    Model committed = new Model();

    /** Expected content if the current transaction was committed. */
    Model next;

    Scene(boolean remote, int versions) {
      PoolFormat.format(pool, 99);
      this.versions = versions;
      fabric = new ThrowingFabric(pool, remote);
      engine = new Engine(new SystemEnvironment(), fabric, OPTIONS);
      table = Accounts.create(engine, versions);
      ownerRoot = Accounts.addOwnerIndex(engine, table, false).root();
      first = new Accounts(engine, table);
      second = new Accounts(engine, table);
      third = new Accounts(engine, table);
      first.begin();
      for (long id = 0; id < ROWS; id++) {
        assertEquals(Outcome.OK, first.insert(id * 2, 100, "o" + id % 9));
        committed.put(id * 2, "100 o" + id % 9);
      }
      assertEquals(Outcome.OK, first.commit());
      next = committed;
    }

    TableStore open(Engine other) {
      return other
          .tables()
          .open(
              Accounts.schema(versions),
              new TableStore.TableRoots(table.hashRoot(), table.primary().root()),
              List.of(IndexSchema.ascending(8, "BY_OWNER", false, 2)),
              List.of(ownerRoot));
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"false,2", "true,2", "false,1", "true,1"})
  void shouldCommitAtomicallyIfAnyStepThrows(boolean remote, int versions) {
    int step = Integer.getInteger("nelumbo.throwing.step", 23);
    long places = places(remote, versions);
    int stops = 0;
    for (long at = versions % step; at < places; at += step) {
      Throwable thrown =
          switch ((int) (at / step % 3)) {
            case 0 -> new OutOfMemoryError("a test");
            case 1 -> new StackOverflowError("a test");
            default -> new IllegalStateException("a test");
          };
      try {
        stops += run(remote, versions, at, thrown) ? 1 : 0;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("at=" + at + " of=" + places + " " + thrown, e);
      }
    }
    assertTrue(stops > 0, "nothing was half done");
    assertTrue(stops < places / step, "nobody could go on");
  }

  private static long places(boolean remote, int versions) {
    try (Scene scene = new Scene(remote, versions)) {
      long before = scene.fabric.places();
      work(scene);
      return scene.fabric.places() - before;
    }
  }

  /** Runs the workload with an exception at one point; returns true if the engine has stopped. */
  private static boolean run(boolean remote, int versions, long at, Throwable thrown) {
    try (Scene scene = new Scene(remote, versions)) {
      scene.third.begin();
      scene.fabric.throwAfter(at, thrown);
      try {
        work(scene);
      } catch (Throwable t) {
        assertTrue(t == thrown || t instanceof NelumboException, t::toString);
        scene.fabric.calm();
        scene.first.abort();
      }
      scene.fabric.calm();
      boolean stopped = scene.engine.isStopped();
      if (stopped) {
        meetWhatIsHalfDone(scene);
      }
      scene.second.abort();
      scene.third.abort();
      if (stopped) {
        for (Accounts each : List.of(scene.first, scene.second, scene.third)) {
          NelumboException refused = assertThrows(NelumboException.class, each::begin);
          assertEquals(ErrorCode.CONNECTION_LOST, refused.code());
          assertSame(thrown, refused.getCause());
          each.close();
        }
      } else {
        assertEquals(0, scene.engine.lockTable().heldCount(), "locks that stay");
        try (Channel channel = scene.pool.openChannel(Long.BYTES)) {
          scene.engine.verify(address -> word(channel, address));
        }
        goOn(scene, scene.second);
        goOn(scene, scene.first);
        scene.first.close();
        scene.second.close();
        scene.third.close();
      }
      recover(scene);
      return stopped;
    }
  }

  /**
   * Continues transactions that began before. They are not aborted at once, but do not wait
   * forever.
   */
  private static void meetWhatIsHalfDone(Scene scene) {
    try {
      for (long id = 0; id < 2 * ROWS; id += 2) {
        scene.second.balance(id);
      }
    } catch (NelumboException e) {
      assertEquals(ErrorCode.CONNECTION_LOST, e.code(), e::toString);
    } catch (IllegalStateException e) {
      assertFalse(scene.second.transaction.isActive(), e::toString);
    }
    try {
      for (long id = 2001; id < 2021; id++) {
        scene.third.insert(id, 1, "o" + id % 9);
      }
    } catch (NelumboException e) {
      assertEquals(ErrorCode.CONNECTION_LOST, e.code(), e::toString);
    }
  }

  private static long word(Channel channel, long address) {
    channel.read(address, 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  /** Checks the committed rows in another session; then the first session continues. */
  private static void goOn(Scene scene, Accounts session) {
    session.begin();
    Model found = read(session);
    assertTrue(found.equals(scene.committed) || found.equals(scene.next), () -> "found " + found);
    scene.committed = found;
    scene.next = found;
    session.begin(Isolation.SNAPSHOT, true);
    assertEquals(found, read(session));
    Random random = new Random(3);
    for (int i = 0; i < 4; i++) {
      transact(scene, session, random, i);
    }
    session.begin();
    assertEquals(scene.committed, read(session));
  }

  private static void recover(Scene scene) {
    ThrowingFabric fabric = new ThrowingFabric(scene.pool, true);
    Engine engine = new Engine(new SystemEnvironment(), fabric, OPTIONS);
    PoolRecovery recovery = new PoolRecovery(engine);
    TableStore table = scene.open(engine);
    recovery.recover(table);
    recovery.finish();
    try (Accounts session = new Accounts(engine, table)) {
      session.begin();
      Model found = read(session);
      assertTrue(found.equals(scene.committed) || found.equals(scene.next), () -> "found " + found);
      session.begin(Isolation.SNAPSHOT, true);
      Channel channel = session.coordinator.channel();
      assertEquals(found.size(), table.verify(channel));
      assertEquals(found.size(), table.primary().tree().verify(channel));
      assertEquals(found.size(), table.indexes()[0].tree().verify(channel));
      assertEquals(Outcome.OK, session.commit());
      scene.committed = found;
      scene.next = found;
      for (int i = 0; i < 3; i++) {
        transact(scene, session, new Random(i), i);
      }
    }
    assertTrue(engine.poolUsage().isBalanced(), engine.poolUsage().toString());
  }

  /** Runs the workload during a snapshot, so that versions move to overflow blocks, too. */
  private static void work(Scene scene) {
    Random random = new Random(1);
    scene.second.begin(Isolation.SNAPSHOT, true);
    updateAll(scene);
    updateAll(scene);
    for (int i = 0; i < TRANSACTIONS; i++) {
      transact(scene, scene.first, random, i);
    }
    assertEquals(Outcome.OK, scene.second.commit());
    scene.engine.epochs().refreshHorizon();
    updateAll(scene);
    updateAll(scene);
    scene.first.coordinator.retireQueue().collect(100);
  }

  private static void transact(Scene scene, Accounts session, Random random, int number) {
    Model model = scene.committed.copy();
    session.begin(number % 2 == 0 ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT, false);
    if (number % 3 == 0) {
      insertMany(session, model, random);
    }
    for (int i = 0; i < 5; i++) {
      change(session, model, random);
    }
    if (number == 4) {
      session.abort();
      return;
    }
    scene.next = model;
    assertEquals(Outcome.OK, session.commit());
    scene.committed = model;
  }

  /**
   * Updates many rows in one transaction. Its commit frees overflow blocks that are no longer
   * needed, and a row that the transaction itself has inserted and deleted.
   */
  private static void updateAll(Scene scene) {
    Model model = scene.committed.copy();
    scene.first.begin();
    for (long id : scene.committed.keySet()) {
      if (id % 5 == 0) {
        assertEquals(Outcome.OK, scene.first.update(id, id, "all"));
        model.put(id, id + " all");
      }
    }
    long id = 3001 + 4L * model.size();
    assertEquals(Outcome.OK, scene.first.insert(id, 1, "mine"));
    assertEquals(Outcome.OK, scene.first.delete(id));
    assertEquals(Outcome.OK, scene.first.insert(id + 2, 1, "mine"));
    model.put(id + 2, "1 mine");
    scene.next = model;
    assertEquals(Outcome.OK, scene.first.commit());
    scene.committed = model;
  }

  private static void insertMany(Accounts session, Model model, Random random) {
    InsertBatch batch = session.transaction.newInsertBatch();
    for (int i = 0; i < 6; i++) {
      long id = 1 + 2L * random.nextInt(1000);
      if (!model.containsKey(id)) {
        session.addTo(batch, id, i, "b" + i);
        model.put(id, i + " b" + i);
      }
    }
    assertEquals(Outcome.OK, batch.execute());
  }

  private static void change(Accounts session, Model model, Random random) {
    List<Long> ids = new ArrayList<>(model.keySet());
    long id = random.nextInt(3) == 0 ? 1 + 2L * random.nextInt(1000) : any(ids, random);
    long balance = random.nextInt(1000);
    String owner = "o" + random.nextInt(9);
    if (!model.containsKey(id)) {
      assertEquals(Outcome.OK, session.insert(id, balance, owner));
    } else if (random.nextInt(3) == 0) {
      assertEquals(Outcome.OK, session.delete(id));
      model.remove(id);
      return;
    } else {
      assertEquals(Outcome.OK, session.update(id, balance, owner));
    }
    model.put(id, balance + " " + owner);
  }

  private static long any(List<Long> ids, Random random) {
    return ids.get(random.nextInt(ids.size()));
  }

  private static Model read(Accounts session) {
    Model found = new Model();
    for (long id : session.ids(true)) {
      found.put(id, session.balance(id) + " " + session.owner(id));
    }
    List<Long> byOwner = new ArrayList<>(session.ids(session.table.indexes()[0], true));
    byOwner.sort(null);
    assertEquals(List.copyOf(found.keySet()), byOwner);
    assertEquals(Outcome.OK, session.commit());
    return found;
  }
}
