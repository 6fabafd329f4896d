package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.outcome.Outcome.DUPLICATE;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.session.Isolation;

@Timeout(120)
class InsertBatchTest {
  Engine engine;
  TableStore table;
  Accounts a;
  Accounts b;
  InsertBatch batch;

  CountingFabric counted(Fabric memory) {
    return new CountingFabric(memory);
  }

  /** Returns true if the table has a hash index. */
  boolean isHashed() {
    return true;
  }

  /** Returns the round trips of a batch of adjacent rows. */
  int roundTrips() {
    return 4; // CVTs and lookups; hash entries; latch and read the leaf; write it
  }

  @BeforeEach
  void open() {
    engine = Accounts.quietEngine(1L << 30, this::counted); // indexes are verified
    table = Accounts.create(engine, 2, isHashed());
    a = new Accounts(engine, table);
    b = new Accounts(engine, table);
    batch = a.transaction.newInsertBatch();
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
    engine.close();
    assertEquals(0, engine.lockTable().heldCount());
  }

  private void add(long... ids) {
    for (long id : ids) {
      a.addTo(batch, id, id * 10, "o" + id % 3);
    }
  }

  private List<Long> ids() {
    b.begin(Isolation.SNAPSHOT, true);
    List<Long> ids = b.ids(true);
    for (long id : ids) {
      assertEquals(id * 10, b.balance(id));
    }
    b.commit();
    return ids;
  }

  void verify() {
    table.primary().tree().verify(a.coordinator.channel());
    for (IndexStore index : table.indexes()) {
      index.tree().verify(a.coordinator.channel());
    }
  }

  @Test
  void shouldInsertNeighboursInFewRoundTrips() {
    a.begin();
    add(1, 2);
    assertEquals(OK, batch.execute());
    batch.clear();
    add(3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    long before = a.coordinator.counters().roundTrips();
    assertEquals(OK, batch.execute());
    assertEquals(roundTrips(), a.coordinator.counters().roundTrips() - before);
    a.commit();
    assertEquals(LongStream.rangeClosed(1, 12).boxed().toList(), ids());
  }

  @Test
  void shouldInsertLargeBatch() {
    a.begin();
    add(LongStream.range(0, 1000).map(i -> i * 7919 % 1000).toArray());
    assertEquals(OK, batch.execute());
    assertEquals(500 * 10, a.balance(500));
    a.commit();
    assertEquals(LongStream.range(0, 1000).boxed().toList(), ids());
    verify();
  }

  @Test
  void shouldInsertNothingIfKeyExists() {
    a.begin();
    add(5);
    assertEquals(OK, batch.execute());
    a.commit();
    batch.clear();
    add(4, 5, 6);
    a.begin();
    assertEquals(DUPLICATE, batch.execute());
    assertEquals(1, batch.failedRow());
    assertNull(a.transaction.violatedIndex());
    assertEquals(-1, a.balance(4));
    assertEquals(OK, a.insert(6, 60, null));
    a.commit();
    assertEquals(List.of(5L, 6L), ids());
    verify();
  }

  @Test
  void shouldInsertNothingIfBatchRepeatsKey() {
    a.begin();
    add(4, 5, 4);
    assertEquals(DUPLICATE, batch.execute());
    assertEquals(2, batch.failedRow());
    a.commit();
    assertEquals(List.of(), ids());
    a.begin();
    assertEquals(OK, a.insert(4, 40, null));
    a.commit();
    assertEquals(List.of(4L), ids());
  }

  @Test
  void shouldBringDeletedRowsBack() {
    a.begin();
    add(1, 2, 3);
    assertEquals(OK, batch.execute());
    a.commit();
    a.begin();
    assertEquals(OK, a.delete(2));
    a.commit();
    a.begin();
    assertEquals(OK, a.delete(3));
    batch.clear();
    add(2, 3, 4);
    assertEquals(OK, batch.execute());
    a.commit();
    assertEquals(List.of(1L, 2L, 3L, 4L), ids());
  }

  @Test
  void shouldDistinguishKeysWithSameLotusKey() {
    a.forceLotusKey(99 << 12);
    b.forceLotusKey(99 << 12);
    a.begin();
    add(1, 2, 3);
    assertEquals(OK, batch.execute());
    a.commit();
    assertEquals(List.of(1L, 2L, 3L), ids());
    a.begin();
    assertEquals(DUPLICATE, batch.execute());
    a.abort();
  }

  @Test
  void shouldHoldUniqueIndexesUp() {
    IndexStore owners = Accounts.addOwnerIndex(engine, table, true);
    a.begin();
    a.addTo(batch, 1, 10, "x");
    a.addTo(batch, 2, 20, "y");
    a.addTo(batch, 3, 30, "x");
    assertEquals(DUPLICATE, batch.execute());
    assertEquals(owners, a.transaction.violatedIndex());
    assertEquals(2, batch.failedRow());
    a.commit();
    assertEquals(List.of(), ids());
  }

  /**
   * Values are taken, released and changed, in one transaction or several; NULLs are never equal.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldHoldUniqueIndexesUpAsAMapDoes(long seed) {
    IndexStore owners = Accounts.addOwnerIndex(engine, table, true);
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<Long, String> model = new TreeMap<>();
    int accepted = 0;
    for (int round = 0; round < 400; round++) {
      TreeMap<Long, String> after = new TreeMap<>(model);
      a.begin();
      for (int turn = 0; turn < 3; turn++) {
        accepted += insertOwners(random, after) ? 1 : 0;
        for (long id : new ArrayList<>(after.keySet())) {
          if (random.nextInt(10) == 0) {
            assertEquals(OK, a.delete(id));
            after.remove(id);
          } else if (random.nextInt(10) == 0) {
            String owner = owner(random);
            boolean taken = after.containsValue(owner) && !owner.equals(after.get(id));
            assertEquals(taken ? DUPLICATE : OK, a.update(id, id * 10, owner));
            after.put(id, taken ? after.get(id) : owner);
          }
        }
      }
      if (random.nextBoolean()) {
        assertEquals(OK, a.commit());
        model = after;
      } else {
        a.abort();
      }
    }
    assertTrue(accepted > 100, "accepted " + accepted);
    assertEquals(new ArrayList<>(model.keySet()), ids());
    b.begin(Isolation.SNAPSHOT, true);
    assertEquals(model.size(), b.ids(owners, true).size());
    b.commit();
    verify();
  }

  private static String owner(SplittableRandom random) {
    return "o" + random.nextInt(random.nextBoolean() ? 60 : 100_000);
  }

  private boolean insertOwners(SplittableRandom random, Map<Long, String> rows) {
    batch.clear();
    Map<Long, String> after = new HashMap<>(rows);
    boolean duplicate = false;
    for (int i = random.nextInt(12); i >= 0; i--) {
      long id = random.nextLong(10_000);
      String owner = random.nextInt(5) == 0 ? null : owner(random);
      a.addTo(batch, id, id * 10, owner);
      duplicate |= owner != null && after.containsValue(owner);
      duplicate |= after.containsKey(id);
      after.put(id, owner);
    }
    assertEquals(duplicate ? DUPLICATE : OK, batch.execute());
    if (!duplicate) {
      rows.putAll(after);
    }
    return !duplicate;
  }

  @Test
  void shouldLeaveNoEntriesAfterRollback() {
    IndexStore owners = Accounts.addOwnerIndex(engine, table, false);
    a.begin();
    add(1, 2, 3);
    assertEquals(OK, batch.execute());
    long savepoint = a.transaction.savepoint();
    batch.clear();
    add(4, 5, 6);
    assertEquals(OK, batch.execute());
    a.transaction.rollbackTo(savepoint);
    a.commit();
    assertEquals(List.of(1L, 2L, 3L), ids());
    a.begin();
    add(7, 8);
    assertEquals(OK, batch.execute());
    a.abort();
    assertEquals(3, owners.tree().verify(a.coordinator.channel()));
    assertEquals(3, table.primary().tree().verify(a.coordinator.channel()));
  }

  @Test
  void shouldInsertNothingOfBatchIfPoolIsFullAndContinueAfterDeletes() {
    EngineOptions options = EngineOptions.DEFAULT.withMemoryBytes(4L << 20);
    try (Engine small = Engine.openMemory(options, this::counted)) {
      TableStore accounts = Accounts.create(small, 2);
      try (Accounts session = new Accounts(small, accounts)) {
        InsertBatch rows = session.transaction.newInsertBatch();
        int committed = 0;
        Outcome status = OK;
        while (status == OK) {
          rows.clear();
          for (int i = 0; i < 100; i++) {
            session.addTo(rows, committed * 100L + i, 1, "x".repeat(20));
          }
          session.begin();
          status = rows.execute();
          status = status == OK ? session.commit() : status;
          committed += status == OK ? 1 : 0;
        }
        assertEquals(Outcome.EXHAUSTED, status);
        session.abort();
        assertTrue(committed > 10, "committed=" + committed);
        session.begin(Isolation.SNAPSHOT, true);
        assertEquals(committed * 100, session.ids(true).size());
        session.commit();
        accounts.primary().tree().verify(session.coordinator.channel());
        insertAfterDeletes(session, rows, committed * 100L);
      }
    }
  }

  /**
   * Deletes the first 200 rows of a full pool, and inserts half of them again when their memory is
   * free.
   */
  private static void insertAfterDeletes(Accounts session, InsertBatch rows, long end) {
    session.begin();
    for (long id = 0; id < 200; id++) {
      assertEquals(OK, session.delete(id));
    }
    assertEquals(OK, session.commit());
    rows.clear();
    for (long id = 0; id < 100; id++) {
      session.addTo(rows, id, 1, "x".repeat(20));
    }
    session.begin();
    Outcome status = rows.execute();
    while (status == Outcome.EXHAUSTED) { // the sweeper frees the memory in the background
      session.abort();
      session.begin();
      status = rows.execute();
    }
    assertEquals(OK, status);
    assertEquals(OK, session.commit());
    session.begin(Isolation.SNAPSHOT, true);
    LongStream expected = LongStream.concat(LongStream.range(0, 100), LongStream.range(200, end));
    assertEquals(expected.boxed().toList(), session.ids(true));
    session.commit();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldDoAsAMapDoes(long seed) {
    IndexStore owners = Accounts.addOwnerIndex(engine, table, false);
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<Long, Long> model = new TreeMap<>();
    for (int round = 0; round < 300; round++) {
      TreeMap<Long, Long> after = new TreeMap<>(model);
      a.begin();
      for (int turn = 0; turn < 3; turn++) {
        insertSome(random, after);
        for (long id : new ArrayList<>(after.keySet())) {
          if (random.nextInt(20) == 0) {
            assertEquals(OK, a.delete(id));
            after.remove(id);
          }
        }
      }
      if (random.nextBoolean()) {
        assertEquals(OK, a.commit());
        model = after;
      } else {
        a.abort();
      }
      assertEquals(new ArrayList<>(model.keySet()), ids());
    }
    b.begin(Isolation.SNAPSHOT, true);
    assertEquals(model.size(), b.ids(owners, true).size());
    b.commit();
    verify();
  }

  private void insertSome(SplittableRandom random, Map<Long, Long> rows) {
    batch.clear();
    TreeMap<Long, Long> after = new TreeMap<>(rows);
    boolean duplicate = false;
    for (int i = random.nextInt(80); i >= 0; i--) {
      long id = random.nextLong(random.nextBoolean() ? 400 : 100_000);
      add(id);
      duplicate |= after.put(id, id) != null;
    }
    assertEquals(duplicate ? DUPLICATE : OK, batch.execute());
    if (!duplicate) {
      rows.putAll(after);
    }
  }
}
