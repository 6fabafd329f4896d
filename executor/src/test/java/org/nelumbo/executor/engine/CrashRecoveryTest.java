package org.nelumbo.executor.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.recovery.DyingFabric;
import org.nelumbo.executor.recovery.PoolRecovery;
import org.nelumbo.executor.recovery.RecoveryReport;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;

/**
 * A compute node fails after any number of verbs, and another one attaches. All committed
 * transactions are present, the current one is present completely or not at all, and indexes and
 * memory are consistent.
 */
@Timeout(120)
class CrashRecoveryTest {
  private static final int ROWS = 560;
  private static final int TRANSACTIONS = 60;
  private static final EngineOptions OPTIONS = EngineOptions.DEFAULT.withLockBuckets(1 << 8);

  /** Balance and owner of each account. */
  private static final class Model extends TreeMap<Long, String> {
    private static final long serialVersionUID = 1L;
  }

  /** A pool with its first rows, and the compute node that inserted them. */
  private static final class Scene implements AutoCloseable {
    final LocalFabric pool;
    final int versions;
    final DyingFabric fabric;
    final Engine engine;
    final TableStore table;
    final long ownerRoot;
    Model committed = new Model();

    /** Expected content if the current transaction was committed. */
    Model next;

    Scene(int nodes, int versions, boolean hashed, long seed) {
      this.pool = new LocalFabric(nodes, 8 << 20);
      this.versions = versions;
      PoolFormat.format(pool, 99);
      fabric = new DyingFabric(pool, seed);
      engine = new Engine(new SystemEnvironment(), fabric, OPTIONS);
      table = Accounts.create(engine, versions, hashed);
      ownerRoot = Accounts.addOwnerIndex(engine, table, false).root();
      try (Accounts session = new Accounts(engine, table)) {
        session.begin();
        for (long id = 0; id < ROWS; id++) {
          assertEquals(Outcome.OK, session.insert(id * 2, 100, "o" + id % 9));
          committed.put(id * 2, "100 o" + id % 9);
        }
        assertEquals(Outcome.OK, session.commit());
      }
      next = committed;
    }

    /** Opens the table in the engine of another compute node. */
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
  @CsvSource({
    "1,2,true",
    "2,2,true",
    "2,1,true",
    "1,4,true",
    "1,2,false",
    "2,2,false",
    "2,1,false"
  })
  void shouldRecoverFromCrashAtAnyVerb(int nodes, int versions, boolean hashed) {
    int runs = Integer.getInteger("nelumbo.crashes", 24);
    for (int seed = 1; seed <= 2; seed++) {
      long verbs = work(nodes, versions, hashed, seed);
      Random random = new Random(seed);
      for (int i = 0; i < runs / 2; i++) {
        long at = random.nextLong(verbs);
        try {
          crash(nodes, versions, hashed, seed, at, random);
        } catch (RuntimeException | Error e) {
          throw new AssertionError("died at=" + at + " of=" + verbs + " seed=" + seed, e);
        }
      }
    }
  }

  /** Without a hash index, no other index leads to the rows of the leaf. */
  @ParameterizedTest
  @CsvSource({"1,2,true", "1,2,false", "2,1,false", "2,4,false"})
  void shouldFindRowsOfHalfWrittenLeaf(int nodes, int versions, boolean hashed) {
    for (int seed = 1; seed <= 3; seed++) {
      Random random = new Random(seed);
      try (Scene scene = new Scene(nodes, versions, hashed, seed)) {
        run(scene, seed);
        garble(scene, scene.engine, scene.table, random);
        dieInRecovery(scene, random);
        check(scene);
        Engine next = new Engine(new SystemEnvironment(), new DyingFabric(scene.pool, 8), OPTIONS);
        garble(scene, next, scene.open(next), random);
        scene.next = scene.committed;
        check(scene);
      }
    }
  }

  /** Overwrites all words of a leaf except for those that name the index and the writer. */
  private static void garble(Scene scene, Engine engine, TableStore table, Random random) {
    KeyBuffer key = new KeyBuffer();
    try (Accounts session = new Accounts(engine, table);
        Channel channel = scene.pool.openChannel(1 << 16)) {
      session.key(random.nextInt(2 * ROWS), key);
      long leaf = table.primary().tree().leaf(channel, key.bytes, key.length);
      channel.writeLong(
          leaf + TreeNodeLayout.HEADER_OFFSET, TreeNodeLayout.writing(random.nextLong()));
      for (int at = TreeNodeLayout.RIGHT_OFFSET; at < TreeNodeLayout.LENGTH; at += Long.BYTES) {
        channel.writeLong(leaf + at, random.nextLong());
      }
      channel.flush();
    }
  }

  @Test
  void shouldReportUnknownOutcomeIfCommitMayBeVisible() {
    try (Scene scene = new Scene(1, 2, true, 1);
        Accounts session = new Accounts(scene.engine, scene.table)) {
      move(scene, session); // the first commit creates the log
      long verbs = move(scene, session);
      // The last two verbs of a commit make its two cells visible.
      for (long lost = verbs - 2; lost < verbs; lost++) {
        assertEquals(ErrorCode.OUTCOME_UNKNOWN, loseWithin(lost));
      }
      assertNull(loseWithin(verbs - 3), "not visible, so not committed");
    }
  }

  @Test
  void shouldNotReportFailureOfVisibleCommit() {
    try (Scene scene = new Scene(1, 2, true, 1)) {
      Accounts session = new Accounts(scene.engine, scene.table);
      move(scene, session);
      long verbs = move(scene, session);
      session.begin();
      assertEquals(Outcome.OK, session.delete(4));
      assertEquals(Outcome.OK, session.commit());
      session.begin();
      assertEquals(Outcome.OK, session.update(0, 80, "o0"));
      assertEquals(Outcome.OK, session.update(2, 120, "o1"));
      // The pool is lost after the whole commit, before garbage is collected.
      scene.fabric.loseAfter(verbs);
      assertEquals(Outcome.OK, session.commit());
      session.begin();
      assertThrows(FabricException.class, () -> session.get(6, LockMode.READ));
    }
  }

  /** Otherwise the caller would get a conflict and retry forever. */
  @Test
  void shouldReportLostPoolAfterConflictWithLostTransaction() {
    try (LocalFabric pool = new LocalFabric(1, 8 << 20)) {
      PoolFormat.format(pool, 99);
      DyingFabric dying = new DyingFabric(pool, 1);
      Engine engine = new Engine(new SystemEnvironment(), new FailStopFabric(dying), OPTIONS);
      TableStore table = Accounts.create(engine, 2);
      Accounts session = new Accounts(engine, table);
      Accounts other = new Accounts(engine, table);
      session.begin();
      assertEquals(Outcome.OK, session.insert(1, 100, "o"));
      dying.loseAfter(0);
      assertThrows(FabricException.class, session::abort);
      other.transaction.setConflictPolicy(ConflictPolicy.NO_WAIT, 0);
      other.begin();
      assertEquals(Outcome.CONFLICT, other.get(1, LockMode.READ));
      assertThrows(FabricException.class, other::abort);
    }
  }

  /** An interrupted insert may have locks that are in no set, so its locks cannot be released. */
  @Test
  void shouldReportLostPoolThoughRollbackPostsNoVerb() {
    try (LocalFabric pool = new LocalFabric(1, 8 << 20)) {
      PoolFormat.format(pool, 99);
      DyingFabric dying = new DyingFabric(pool, 1);
      Engine engine = new Engine(new SystemEnvironment(), new FailStopFabric(dying), OPTIONS);
      TableStore table = Accounts.create(engine, 2);
      Accounts session = new Accounts(engine, table);
      Accounts other = new Accounts(engine, table);
      session.begin();
      assertEquals(Outcome.OK, session.insert(1, 100, "o"));
      assertEquals(Outcome.OK, session.commit());
      session.begin();
      assertEquals(Outcome.OK, session.update(1, 80, "o"));
      other.begin();
      dying.loseAfter(0);
      assertThrows(FabricException.class, () -> other.get(2, LockMode.READ));
      assertThrows(FabricException.class, session::abort);
    }
  }

  @Test
  void shouldCloseItsChannelThoughThePoolIsLost() {
    AtomicInteger channels = new AtomicInteger();
    try (LocalFabric pool = new LocalFabric(1, 8 << 20)) {
      PoolFormat.format(pool, 99);
      DyingFabric dying = new DyingFabric(pool, 1);
      Engine engine =
          new Engine(new SystemEnvironment(), new ChannelCounter(dying, channels), OPTIONS);
      TableStore table = Accounts.create(engine, 2);
      int before = channels.get();
      Accounts session = new Accounts(engine, table);
      session.begin();
      assertEquals(Outcome.OK, session.insert(1, 100, "o"));
      dying.loseAfter(0);
      assertThrows(FabricException.class, session::close);
      assertEquals(before, channels.get());
    }
  }

  /** A fabric that counts its open channels. */
  private static final class ChannelCounter extends ForwardingFabric {
    private final AtomicInteger open;

    ChannelCounter(Fabric fabric, AtomicInteger open) {
      super(fabric);
      this.open = open;
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      open.incrementAndGet();
      return new ForwardingChannel(super.openChannel(stagingBytes)) {
        @Override
        public void close() {
          open.decrementAndGet();
          super.close();
        }
      };
    }
  }

  /** Updates two rows; returns the number of verbs of the commit. */
  private static long move(Scene scene, Accounts session) {
    session.begin();
    assertEquals(Outcome.OK, session.update(0, 90, "o0"));
    assertEquals(Outcome.OK, session.update(2, 110, "o1"));
    long before = scene.fabric.verbs();
    assertEquals(Outcome.OK, session.commit());
    return scene.fabric.verbs() - before;
  }

  /**
   * Commits on a pool that is lost after the given number of verbs; returns the code of the commit
   * error, or null if the fabric throws instead.
   */
  private static ErrorCode loseWithin(long verbs) {
    try (Scene scene = new Scene(1, 2, true, 1)) {
      Accounts session = new Accounts(scene.engine, scene.table);
      move(scene, session);
      session.begin();
      assertEquals(Outcome.OK, session.update(0, 80, "o0"));
      assertEquals(Outcome.OK, session.update(2, 120, "o1"));
      scene.fabric.loseAfter(verbs);
      session.commit();
      throw new AssertionError("the loss was not noticed");
    } catch (NelumboException e) {
      return e.code();
    } catch (FabricException e) {
      return null;
    }
  }

  /** Runs the whole workload; returns its number of verbs. */
  private static long work(int nodes, int versions, boolean hashed, long seed) {
    try (Scene scene = new Scene(nodes, versions, hashed, seed)) {
      long before = scene.fabric.verbs();
      run(scene, seed);
      assertEquals(scene.next, scene.committed);
      return scene.fabric.verbs() - before;
    }
  }

  private static void crash(
      int nodes, int versions, boolean hashed, long seed, long at, Random random) {
    try (Scene scene = new Scene(nodes, versions, hashed, seed)) {
      scene.fabric.dieAfter(at);
      try {
        run(scene, seed);
        // Otherwise it failed at the end of the last commit, without an effect on a caller.
        assertTrue(scene.fabric.isDead(), "it did not die");
      } catch (DyingFabric.Death | NelumboException e) {
        // The set failure, either directly, or reported to the transaction after the affected
        // commit.
        assertTrue(scene.fabric.isDead(), e::toString);
      }
      dieInRecovery(scene, random);
      check(scene);
    }
  }

  /**
   * Runs transfers, changes of owner, inserts, deletes and aborts, some of them during a snapshot.
   */
  private static void run(Scene scene, long seed) {
    Random random = new Random(seed);
    Accounts[] sessions = new Accounts[3];
    for (int i = 0; i < sessions.length; i++) {
      sessions[i] = new Accounts(scene.engine, scene.table);
    }
    for (int i = 0; i < TRANSACTIONS; i++) {
      if (i % 20 == 5) {
        sessions[2].begin(Isolation.SNAPSHOT, true);
        sessions[2].balance(0);
      } else if (i % 20 == 15) {
        sessions[2].commit();
      }
      transact(scene, sessions[i & 1], random, i % 20 == 0);
    }
  }

  private static void transact(Scene scene, Accounts session, Random random, boolean large) {
    Model model = new Model();
    model.putAll(scene.committed);
    session.begin();
    int changes = large ? 90 : 1 + random.nextInt(5);
    for (int i = 0; i < changes; i++) {
      change(session, model, random);
    }
    if (random.nextInt(8) == 0) {
      session.abort();
      return;
    }
    scene.next = model;
    assertEquals(Outcome.OK, session.commit());
    scene.committed = model;
  }

  private static void change(Accounts session, Model model, Random random) {
    long id = random.nextInt(2 * ROWS + 200);
    long balance = random.nextInt(1000);
    String owner = "o" + random.nextInt(9);
    if (!model.containsKey(id)) {
      assertEquals(Outcome.OK, session.insert(id, balance, owner));
    } else if (random.nextInt(4) == 0) {
      assertEquals(Outcome.OK, session.delete(id));
      model.remove(id);
      return;
    } else {
      assertEquals(Outcome.OK, session.update(id, balance, owner));
    }
    model.put(id, balance + " " + owner);
  }

  /** Recovers the pool with up to two compute nodes that may fail during the recovery. */
  private static void dieInRecovery(Scene scene, Random random) {
    for (int deaths = random.nextInt(3); deaths > 0; deaths--) {
      DyingFabric dying = new DyingFabric(scene.pool, 5);
      dying.dieAfter(random.nextInt(2_000));
      try {
        recover(scene, new Engine(new SystemEnvironment(), dying, OPTIONS));
      } catch (DyingFabric.Death e) {
        // the failure that the test has set
      }
    }
  }

  private static RecoveryReport recover(Scene scene, Engine engine) {
    PoolRecovery recovery = new PoolRecovery(engine);
    recovery.recover(scene.open(engine));
    return recovery.finish();
  }

  private static void check(Scene scene) {
    Engine engine = new Engine(new SystemEnvironment(), new DyingFabric(scene.pool, 6), OPTIONS);
    RecoveryReport first = recover(scene, engine);
    TableStore table = scene.open(engine);
    try (Accounts session = new Accounts(engine, table)) {
      Model found = read(session);
      assertTrue(
          found.equals(scene.committed) || found.equals(scene.next),
          () -> "found=" + found + " committed=" + scene.committed + " next=" + scene.next);
      verify(session, found.size());
      assertEquals(found.size(), first.rows());
      Random random = new Random(3);
      scene.committed = found;
      for (int i = 0; i < 10; i++) {
        transact(scene, session, random, i == 3);
      }
      assertEquals(scene.committed, read(session));
    }
    assertTrue(engine.poolUsage().isBalanced(), engine.poolUsage().toString());
    Engine third = new Engine(new SystemEnvironment(), new DyingFabric(scene.pool, 7), OPTIONS);
    RecoveryReport second = recover(scene, third);
    assertEquals(0, second.committed() + second.undoneCells(), second.toString());
    assertEquals(second.liveBytes(), third.poolUsage().liveBytes());
    try (Accounts session = new Accounts(third, scene.open(third))) {
      assertEquals(scene.committed, read(session));
      verify(session, scene.committed.size());
    }
  }

  private static Model read(Accounts session) {
    Model found = new Model();
    session.begin();
    for (long id : session.ids(true)) {
      found.put(id, session.balance(id) + " " + session.owner(id));
    }
    List<Long> byOwner = new ArrayList<>(session.ids(session.table.indexes()[0], true));
    byOwner.sort(null);
    assertEquals(List.copyOf(found.keySet()), byOwner);
    session.commit();
    return found;
  }

  /** Checks that indexes contain exactly the rows, since there is no garbage yet. */
  private static void verify(Accounts session, int rows) {
    session.transaction.begin(Isolation.SNAPSHOT, true);
    Channel channel = session.coordinator.channel();
    assertEquals(rows, session.table.verify(channel));
    assertEquals(rows, session.table.primary().tree().verify(channel));
    assertEquals(rows, session.table.indexes()[0].tree().verify(channel));
    session.commit();
  }
}
