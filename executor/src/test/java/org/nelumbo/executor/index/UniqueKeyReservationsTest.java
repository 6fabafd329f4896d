package org.nelumbo.executor.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.outcome.Outcome.CONFLICT;
import static org.nelumbo.executor.outcome.Outcome.DUPLICATE;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.executor.txn.InsertBatch;
import org.nelumbo.executor.txn.TwoSessions;
import org.nelumbo.session.Isolation;

/**
 * Tests reservations of new values of a unique index, which are looked up together, and their
 * validity afterwards.
 */
@Timeout(120)
class UniqueKeyReservationsTest extends TwoSessions {
  private static final int COMMIT = 2;

  private IndexStore owners;

  @BeforeEach
  void open() {
    open(true, engine -> Accounts.create(engine, 2));
    owners = Accounts.addOwnerIndex(engine, table, true);
  }

  /** Reserves owners for accounts 1, 2, and so on, which have their initial owners. */
  private static Outcome claim(Accounts session, String... owners) {
    UniqueKeyReservations claims = session.transaction.reservations();
    for (int i = 0; i < owners.length; i++) {
      session.addTo(claims, i + 1, owner(i + 1), owners[i]);
    }
    return claims.reserve();
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldLookForManyValuesInOneRoundTrip(Isolation isolation) {
    fill(4000);
    for (int rows : new int[] {64, 1, 10, 63}) {
      a.begin(isolation, false);
      UniqueKeyReservations claims = a.transaction.reservations();
      for (int i = 0; i < rows; i++) {
        assertEquals(OK, a.get(i * 60L, LockMode.WRITE));
        a.addTo(claims, i * 60L, owner(i * 60), owner(i * 60) + " in " + rows);
      }
      long before = roundTrips();
      assertEquals(OK, claims.reserve());
      for (int i = 0; i < rows; i++) {
        assertEquals(OK, a.update(i * 60L, 3, owner(i * 60) + " in " + rows));
      }
      assertEquals(OK, claims.reserve(), "nothing has been added");
      assertEquals(1, roundTrips() - before);
      assertEquals(OK, a.commit());
      long taken = roundTrips() - before;
      // in the first round leaves are full and split
      assertTrue(rows == 64 || taken <= 1 + 2 + COMMIT, rows + " rows took " + taken);
      a.begin();
      for (int i = 0; i < rows; i++) {
        assertEquals(OK, a.update(i * 60L, 3, owner(i * 60)));
      }
      assertEquals(OK, a.commit());
    }
  }

  @Test
  void shouldLookForMoreValuesThanAreReadAtOnce() {
    fill(3000);
    a.begin();
    String[] owners = new String[1500];
    for (int i = 0; i < owners.length; i++) {
      owners[i] = owner(i * 2) + "'";
    }
    owners[700] = owner(2500);
    assertEquals(OK, claim(a, owners));
    for (int i = 0; i < owners.length; i++) {
      assertEquals(i == 700 ? DUPLICATE : OK, a.update(i + 1, 3, owners[i]));
    }
    assertEquals(OK, a.commit());
    assertEquals(3000 + 1499, this.owners.tree().verify(a.coordinator.channel()));
  }

  @Test
  void shouldDetectDuplicatesOfReservedValues() {
    fill(10);
    a.begin();
    assertEquals(OK, claim(a, owner(2), "x", owner(1), "y", "x", owner(9)));
    assertEquals(DUPLICATE, a.update(1, 1, owner(2)), "not changed yet");
    assertEquals(owners, a.transaction.violatedIndex());
    assertEquals(OK, a.update(2, 1, "x"));
    assertEquals(DUPLICATE, a.update(3, 1, owner(1)));
    assertEquals(OK, a.update(4, 1, "y"));
    assertEquals(DUPLICATE, a.update(5, 1, "x"), "has just been given to 2");
    assertEquals(OK, a.delete(9));
    assertEquals(OK, a.update(6, 1, owner(9)));
    assertEquals(OK, a.update(1, 1, owner(2)), "is free by now");
    assertEquals(OK, a.commit());
    b.begin();
    assertEquals(List.of(owner(2), "x", owner(3), "y"), owners(1, 2, 3, 4));
    assertEquals(OK, b.commit());
  }

  private List<String> owners(long... ids) {
    List<String> found = new ArrayList<>();
    for (long id : ids) {
      found.add(b.owner(id));
    }
    return found;
  }

  /** The old values of rows that this transaction has changed need not be read again. */
  @Test
  void shouldPassValuesOnInOneRoundTrip() {
    fill(70);
    a.begin();
    assertEquals(70, a.ids(true).size());
    assertEquals(OK, a.update(1, 1, null));
    String[] owners = new String[64];
    for (int i = 1; i < 64; i++) {
      owners[i] = owner(i);
    }
    long before = roundTrips();
    assertEquals(OK, claim(a, owners));
    for (int i = 1; i < 64; i++) {
      assertEquals(OK, a.update(i + 1, 3, owners[i]));
    }
    assertEquals(1, roundTrips() - before);
    assertEquals(OK, a.commit());
  }

  @Test
  void shouldIgnoreStaleIndexEntries() {
    fill(10);
    a.begin();
    assertEquals(OK, a.update(8, 1, "x"));
    assertEquals(OK, a.delete(9));
    assertEquals(OK, a.commit());
    a.begin();
    assertEquals(OK, claim(a, owner(8), owner(9), null));
    assertEquals(OK, a.update(1, 1, owner(8)));
    assertEquals(OK, a.update(2, 1, owner(9)));
    assertEquals(OK, a.update(3, 1, null));
    assertEquals(OK, a.commit());
  }

  /** An unused reservation is void after rows with its value have been inserted. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldVoidReservationAfterInsert(boolean single) {
    fill(10);
    a.begin();
    assertEquals(OK, claim(a, "x"));
    if (single) {
      assertEquals(OK, a.insert(20, 1, "x"));
    } else {
      InsertBatch batch = a.transaction.newInsertBatch();
      a.addTo(batch, 20, 1, "x");
      a.addTo(batch, 21, 1, "y");
      assertEquals(OK, batch.execute());
    }
    assertEquals(DUPLICATE, a.update(1, 1, "x"));
    assertEquals(OK, a.commit());
  }

  @Test
  void shouldDetectPendingEntriesOfOwnTransaction() {
    fill(10);
    a.begin();
    assertEquals(OK, a.update(8, 1, "x"));
    assertEquals(OK, claim(a, "x", "y"));
    assertEquals(DUPLICATE, a.update(1, 1, "x"));
    assertEquals(OK, a.update(2, 1, "y"));
    assertEquals(OK, a.commit());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldVoidReservationsAtTransactionEnd(boolean commits) {
    fill(10);
    a.begin();
    assertEquals(OK, claim(a, "x"));
    assertEquals(OK, a.update(3, 1, "z"));
    if (commits) {
      assertEquals(OK, a.commit());
    } else {
      a.abort();
    }
    b.begin();
    assertEquals(OK, b.update(5, 1, "x"));
    assertEquals(OK, b.commit());
    a.begin();
    assertEquals(DUPLICATE, a.update(1, 1, "x"));
    a.abort();
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldHoldReservedValuesUntilTransactionEnd(Isolation isolation) {
    fill(10);
    a.begin(isolation, false);
    assertEquals(OK, claim(a, "x", "y"));
    b.begin(isolation, false);
    assertEquals(CONFLICT, b.update(5, 1, "y"));
    b.abort();
    assertEquals(OK, a.update(1, 1, "x"));
    assertEquals(OK, a.commit());
    b.begin(isolation, false);
    assertEquals(OK, b.update(5, 1, "y"));
    a.begin(isolation, false);
    assertEquals(CONFLICT, claim(a, "w", "y"));
    a.abort();
    assertEquals(OK, b.commit());
  }

  @Test
  void shouldRejectReservationsOnLocalFabric() {
    try (Engine local = Accounts.quietEngine(64 << 20, memory -> memory);
        Coordinator coordinator = local.openCoordinator()) {
      assertThrows(IllegalStateException.class, () -> coordinator.transaction().reservations());
    }
  }

  /** Compares reservations, used or not, with a map, including savepoints, inserts and deletes. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void shouldAgreeWithAMap(long seed) {
    fill(100);
    Map<Long, String> committed = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      committed.put((long) i, owner(i));
    }
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 100; round++) {
      Map<Long, String> present = new HashMap<>(committed);
      a.begin(random.nextBoolean() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT, false);
      change(random, present, 2);
      if (random.nextInt(4) > 0) {
        assertEquals(OK, a.commit());
        committed = present;
      } else {
        a.abort();
      }
      b.begin(Isolation.SERIALIZABLE, true);
      TreeMap<String, Long> order = new TreeMap<>();
      committed.forEach((id, owner) -> order.put(owner, id));
      assertEquals(List.copyOf(order.values()), b.ids(owners, true));
      assertEquals(OK, b.commit());
    }
  }

  private void change(SplittableRandom random, Map<Long, String> rows, int depth) {
    int steps = random.nextInt(1, 8);
    for (int step = 0; step < steps; step++) {
      long id = random.nextInt(110);
      String owner = owner(random.nextInt(140));
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> changeMany(random, rows);
        case 3 -> {
          if (rows.remove(id) != null) {
            assertEquals(OK, a.delete(id));
          }
        }
        case 4 -> {
          if (!rows.containsKey(id)) {
            boolean taken = rows.containsValue(owner);
            assertEquals(taken ? DUPLICATE : OK, a.insert(id, step, owner));
            rows.computeIfAbsent(id, _ -> taken ? null : owner);
          }
        }
        default -> {
          if (depth > 0) {
            long savepoint = a.transaction.savepoint();
            change(random, new HashMap<>(rows), depth - 1);
            a.transaction.rollbackTo(savepoint);
          }
        }
      }
    }
  }

  private void changeMany(SplittableRandom random, Map<Long, String> rows) {
    UniqueKeyReservations claims = a.transaction.reservations();
    List<Long> ids = new ArrayList<>();
    List<String> next = new ArrayList<>();
    for (int n = random.nextInt(1, 30); n > 0; n--) {
      long id = random.nextInt(110);
      if (rows.containsKey(id)) {
        ids.add(id);
        next.add(owner(random.nextInt(140)));
        a.addTo(claims, id, rows.get(id), next.getLast());
      }
    }
    assertEquals(OK, claims.reserve());
    for (int i = 0; i < ids.size(); i++) {
      String owner = next.get(i);
      boolean taken = rows.containsValue(owner) && !owner.equals(rows.get(ids.get(i)));
      if (random.nextInt(5) > 0) {
        assertEquals(taken ? DUPLICATE : OK, a.update(ids.get(i), i, owner));
        rows.computeIfPresent(ids.get(i), (_, present) -> taken ? present : owner);
      }
    }
  }
}
