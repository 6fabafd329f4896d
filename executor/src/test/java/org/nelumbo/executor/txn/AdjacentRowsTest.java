package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.session.Isolation;

/** Tests that rows in adjacent blocks are written and read together, and no others with them. */
@Timeout(120)
class AdjacentRowsTest {
  private static final long BYTES = 64L << 20;

  private static Engine engine(boolean remote) {
    UnaryOperator<Fabric> decorator =
        remote ? fabric -> new CountingFabric(new DistantFabric(fabric)) : CountingFabric::new;
    return Accounts.quietEngine(BYTES, decorator);
  }

  private static void insert(Accounts session, long... ids) {
    InsertBatch batch = session.transaction.newInsertBatch();
    for (long id : ids) {
      session.addTo(batch, id, 10 * id, "owner");
    }
    session.begin();
    assertEquals(OK, batch.execute());
  }

  private static void insertAndCommit(Accounts session, long from, long to) {
    insert(session, LongStream.range(from, to).toArray());
    assertEquals(OK, session.commit());
  }

  private static long writes(Accounts session, Runnable work) {
    long before = session.coordinator.counters().writes();
    work.run();
    return session.coordinator.counters().writes() - before;
  }

  private static long reads(Accounts session, Runnable work) {
    long before = session.coordinator.counters().reads();
    work.run();
    return session.coordinator.counters().reads() - before;
  }

  @Test
  void shouldWriteNewRowsTogether() {
    try (Engine engine = engine(true);
        Accounts session = new Accounts(engine, Accounts.create(engine, 2))) {
      insertAndCommit(session, 0, 1); // creates the log and a slab
      insertAndCommit(session, 1, 2);
      insert(session, 2);
      long ofOne = writes(session, session::commit);
      insert(session, LongStream.range(3, 13).toArray());
      long ofTen = writes(session, session::commit);
      assertEquals(3, ofOne, "log, row, timestamp");
      assertEquals(ofOne + 9, ofTen, "only the timestamps are written one by one");
    }
  }

  @Test
  void shouldReadRowsTogether() {
    try (Engine engine = engine(true);
        Accounts session = new Accounts(engine, Accounts.create(engine, 2))) {
      insertAndCommit(session, 0, 40);
      for (LockMode mode : new LockMode[] {null, LockMode.READ}) {
        engine.caches().cvts().forgetAll();
        session.begin(Isolation.SERIALIZABLE, mode == null);
        LockMode asked = mode == null ? LockMode.READ : mode;
        assertEquals(0, session.count(100, 101, asked), "knows the way to the leaf");
        long reads = reads(session, () -> assertEquals(40, session.count(0, 39, asked)));
        session.commit();
        assertTrue(reads <= 8, "40 rows by so many READs=" + reads);
      }
    }
  }

  /** New rows get blocks of rows that are gone, between which there are others. */
  @ParameterizedTest
  @CsvSource({"false", "true"})
  void shouldKeepRowsBetweenNewOnes(boolean remote) {
    try (Engine engine = engine(remote);
        Accounts session = new Accounts(engine, Accounts.create(engine, 2))) {
      insert(session, LongStream.range(0, 60).toArray());
      Map<Long, Long> expected = new TreeMap<>();
      for (long id = 0; id < 60; id++) {
        if (id % 2 == 1) {
          assertEquals(OK, session.delete(id));
        } else {
          expected.put(id, 10 * id);
        }
      }
      assertEquals(OK, session.commit());
      long last = cvt(session, 58);
      for (int i = 100; i < 500; i += 40) {
        insertAndCommit(session, i, i + 40);
        LongStream.range(i, i + 40).forEach(id -> expected.put(id, 10 * id));
        check(engine, session, expected);
        session.transaction.context().coordinator.memory().refreshHorizon();
      }
      long reused = LongStream.range(100, 500).filter(id -> cvt(session, id) < last).count();
      assertTrue(reused > 20, "rows between the others=" + reused);
    }
  }

  private static long cvt(Accounts session, long id) {
    session.begin();
    assertEquals(10 * id, session.balance(id, LockMode.WRITE));
    session.commit();
    return session.cvt();
  }

  private static void check(Engine engine, Accounts session, Map<Long, Long> expected) {
    engine.caches().cvts().forgetAll();
    session.begin(Isolation.SNAPSHOT, true);
    assertEquals(expected, session.balances(LockMode.READ));
    session.commit();
    engine.caches().cvts().forgetAll();
    session.begin();
    assertEquals(expected, session.balances(LockMode.WRITE));
    session.commit();
  }

  /** Rows of a batch are also changed, deleted and rolled back before they are committed. */
  @ParameterizedTest
  @CsvSource({"1,false", "2,false", "1,true", "2,true", "4,true"})
  void shouldShowEachRowOfBatches(int versions, boolean remote) {
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      try (Engine engine = engine(remote)) {
        TableStore table = Accounts.create(engine, versions);
        try (Accounts session = new Accounts(engine, table)) {
          Map<Long, Long> committed = new TreeMap<>();
          for (int step = 0; step < 60; step++) {
            Map<Long, Long> written = new TreeMap<>(committed);
            transact(session, random, written);
            if (random.nextInt(4) == 0) {
              session.abort();
            } else {
              assertEquals(OK, session.commit());
              committed = written;
            }
            check(engine, session, committed);
          }
        }
      }
    }
  }

  private static void transact(Accounts session, Random random, Map<Long, Long> rows) {
    session.begin();
    for (int i = random.nextInt(3); i >= 0; i--) {
      long savepoint = session.transaction.savepoint();
      Map<Long, Long> before = Map.copyOf(rows);
      InsertBatch batch = session.transaction.newInsertBatch();
      long from = random.nextInt(200);
      for (long id = from; id < from + random.nextInt(1, 20); id++) {
        if (!rows.containsKey(id)) {
          long balance = random.nextInt(1000);
          session.addTo(batch, id, balance, "o".repeat(random.nextInt(20)));
          rows.put(id, balance);
        }
      }
      assertEquals(OK, batch.execute());
      change(session, random, rows);
      if (random.nextInt(5) == 0) {
        session.transaction.rollbackTo(savepoint);
        rows.clear();
        rows.putAll(before);
      }
    }
  }

  private static void change(Accounts session, Random random, Map<Long, Long> rows) {
    for (long id : Set.copyOf(rows.keySet())) {
      int choice = random.nextInt(10);
      if (choice == 0) {
        assertEquals(OK, session.delete(id));
        rows.remove(id);
      } else if (choice == 1) {
        long balance = random.nextInt(1000);
        assertEquals(OK, session.update(id, balance, "o".repeat(random.nextInt(20))));
        rows.put(id, balance);
      }
    }
  }
}
