package org.nelumbo.executor.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.outcome.Outcome.DUPLICATE;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;
import org.nelumbo.executor.txn.TwoSessions;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;

/**
 * Tests entries of a secondary index that are added later than their rows, where that saves round
 * trips.
 */
@Timeout(120)
class PendingEntriesTest extends TwoSessions {
  private static final int COMMIT = 2;

  private IndexStore owners;

  @BeforeEach
  void open() {
    open(true, engine -> Accounts.create(engine, 2));
    owners = Accounts.addOwnerIndex(engine, table, false);
  }

  private List<Long> ids(Accounts session, String owner, boolean ascending) {
    return session.idsOf(owners, owner, ascending);
  }

  private void verify(int entries) {
    assertEquals(entries, owners.tree().verify(a.coordinator.channel()));
  }

  @Test
  void shouldChangeManyRowsInRoundTripsThatDoNotGrowWithThem() {
    fill(4000);
    for (int rows : new int[] {61, 1, 10, 60}) {
      a.begin();
      for (int i = 0; i < rows; i++) {
        assertEquals(OK, a.get(i * 64L, LockMode.WRITE));
      }
      long before = roundTrips();
      for (int i = 0; i < rows; i++) {
        assertEquals(OK, a.update(i * 64L, 3, owner(i * 64) + " in " + rows));
      }
      assertEquals(0, roundTrips() - before, "the rows are known");
      assertEquals(OK, a.commit());
      long taken = roundTrips() - before;
      // in the first round leaves are full and split
      assertTrue(rows == 61 || taken <= 2 + COMMIT, rows + " rows took " + taken);
    }
    verify(4000 + 61 + 71);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldScanOwnUncommittedChanges(boolean ascending) {
    fill(10);
    a.begin();
    assertEquals(OK, a.update(3, 1, "x"));
    assertEquals(OK, a.update(4, 1, "x"));
    assertEquals(OK, a.insert(20, 1, "x"));
    List<Long> expected = new ArrayList<>(List.of(3L, 4L, 20L));
    if (!ascending) {
      Collections.reverse(expected);
    }
    assertEquals(expected, ids(a, "x", ascending));
    assertEquals(List.of(), ids(a, owner(3), ascending));
    assertEquals(OK, a.update(5, 1, "x"));
    assertEquals(OK, a.delete(4));
    expected = new ArrayList<>(List.of(3L, 5L, 20L));
    if (!ascending) {
      Collections.reverse(expected);
    }
    assertEquals(expected, ids(a, "x", ascending));
    assertEquals(OK, a.commit());
    b.begin();
    assertEquals(expected, ids(b, "x", ascending));
    assertEquals(OK, b.commit());
  }

  @Test
  void shouldNotAddEntriesForAScanThatDoesNotWantThem() {
    fill(10);
    a.begin();
    assertEquals(List.of(2L), ids(a, owner(2), true));
    assertEquals(OK, a.update(3, 1, "x"));
    long before = roundTrips();
    assertEquals(List.of(4L), ids(a, owner(4), true));
    assertTrue(roundTrips() - before <= 2, "the leaf and the record");
    assertEquals(OK, a.commit());
  }

  /** A row moves to a later leaf after the scan has read its first leaf. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldFindEntriesAddedAheadOfRunningScan(boolean ascending) {
    fill(1000);
    a.begin();
    RangeScan scan = a.transaction.newRangeScan();
    RowBuffer row = new RowBuffer();
    assertEquals(OK, scan.open(new ScanRange().all(owners).direction(ScanDirection.of(ascending))));
    List<Long> ids = new ArrayList<>();
    assertEquals(OK, scan.next(row));
    long first = table.layout().getLong(row.bytes, row.offset, 0);
    assertEquals(OK, a.update(first, 1, owner(500) + "'"));
    while (scan.next(row) == OK) {
      ids.add(table.layout().getLong(row.bytes, row.offset, 0));
    }
    assertEquals(1000, ids.size());
    int behind500 = ids.indexOf(500L) + (ascending ? 1 : -1);
    assertEquals(first, ids.get(behind500));
    assertEquals(OK, a.commit());
  }

  @Test
  void shouldRollBackAddedAndPendingEntries() {
    fill(10);
    a.begin();
    assertEquals(OK, a.update(1, 1, "kept"));
    long savepoint = a.transaction.savepoint();
    assertEquals(OK, a.update(2, 1, "scanned"));
    assertEquals(List.of(2L), ids(a, "scanned", true));
    assertEquals(OK, a.update(3, 1, "pending"));
    a.transaction.rollbackTo(savepoint);
    verify(11); // the entry of account 1 was added together with that of account 2
    assertEquals(List.of(), ids(a, "scanned", true));
    assertEquals(List.of(), ids(a, "pending", true));
    assertEquals(OK, a.commit());
    verify(11);
    b.begin();
    assertEquals(List.of(1L), ids(b, "kept", true));
    assertEquals(List.of(3L), ids(b, owner(3), true));
    assertEquals(OK, b.commit());
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldLeaveNoEntriesAfterAbort(Isolation isolation) {
    fill(10);
    a.begin(isolation, false);
    assertEquals(OK, a.update(1, 1, "x"));
    assertEquals(List.of(1L), ids(a, "x", true));
    assertEquals(OK, a.update(2, 1, "x"));
    assertEquals(OK, a.update(1, 1, "y"));
    a.abort();
    verify(10);
  }

  /**
   * The younger transaction may not add entries to a range that the older one has scanned, and
   * aborts; the older transaction waits.
   */
  @Test
  void shouldNotAddEntriesToRangeOfConcurrentScan() throws InterruptedException {
    fill(10);
    b.begin();
    assertEquals(List.of(), ids(b, "x", true));
    a.transaction.setConflictPolicy(ConflictPolicy.WAIT_DIE, 10_000_000); // b stays open
    a.begin();
    assertEquals(OK, a.update(3, 1, "x"));
    assertEquals(Outcome.CONFLICT, a.commit());
    assertTrue(!a.transaction.isActive());
    assertEquals(List.of(), ids(b, "x", true));
    assertEquals(OK, b.commit());
    verify(10);

    a.transaction.setConflictPolicy(ConflictPolicy.WAIT_DIE, 60_000_000_000L);
    a.begin();
    assertEquals(OK, a.update(3, 1, "x"));
    b.begin();
    assertEquals(List.of(), ids(b, "x", true));
    Outcome[] status = {null};
    Thread committer = Thread.ofPlatform().start(() -> status[0] = a.commit());
    while (!a.transaction.isWaiting() && committer.isAlive()) {
      LockSupport.parkNanos(100_000);
    }
    assertEquals(List.of(), ids(b, "x", true));
    assertEquals(OK, b.commit());
    committer.join();
    assertEquals(OK, status[0]);
    verify(11);
  }

  @Test
  void shouldHideLaterEntriesFromSnapshot() {
    fill(10);
    b.begin(Isolation.SNAPSHOT, true);
    a.begin();
    assertEquals(OK, a.update(3, 1, "x"));
    assertEquals(OK, a.commit());
    assertEquals(List.of(), ids(b, "x", true));
    assertEquals(List.of(3L), ids(b, owner(3), true));
    assertEquals(OK, b.commit());
    b.begin(Isolation.SNAPSHOT, true);
    assertEquals(List.of(3L), ids(b, "x", true));
    assertEquals(OK, b.commit());
  }

  @Test
  void shouldAddManyMoreThanMayWait() {
    fill(3000);
    a.begin();
    for (int i = 0; i < 3000; i++) {
      assertEquals(OK, a.update(i, 1, owner(2999 - i) + "'"));
    }
    assertEquals(OK, a.commit());
    verify(6000);
    b.begin();
    List<Long> expected = IntStream.range(0, 3000).mapToObj(i -> 2999L - i).toList();
    assertEquals(expected, b.ids(owners, true));
    assertEquals(OK, b.commit());
  }

  @Test
  void shouldFindUniqueValuesThatAreNotInTheIndexYet() {
    table.removeIndex(owners);
    owners = Accounts.addOwnerIndex(engine, table, true);
    fill(10);
    a.begin();
    assertEquals(OK, a.update(1, 1, "x"));
    assertEquals(DUPLICATE, a.update(2, 1, "x"));
    assertEquals(owners, a.transaction.violatedIndex());
    assertEquals(OK, a.update(3, 1, null));
    assertEquals(OK, a.update(4, 1, null));
    assertEquals(OK, a.update(1, 1, "y"));
    assertEquals(OK, a.update(2, 1, "x"));
    assertEquals(DUPLICATE, a.insert(20, 1, "y"));
    assertEquals(OK, a.delete(1));
    assertEquals(OK, a.insert(20, 1, "y"));
    assertEquals(OK, a.commit());
    b.begin();
    assertEquals(List.of(2L), ids(b, "x", true));
    assertEquals(List.of(20L), ids(b, "y", true));
    assertEquals(DUPLICATE, b.update(5, 1, "y"));
    assertEquals(OK, b.update(5, 1, owner(1)));
    assertEquals(OK, b.commit());
  }

  @Test
  void shouldShareRoundTripsAmongUniqueEntries() {
    table.removeIndex(owners);
    owners = Accounts.addOwnerIndex(engine, table, true);
    fill(10);
    a.begin();
    assertEquals(10, a.ids(true).size());
    long before = roundTrips();
    for (int i = 0; i < 10; i++) {
      assertEquals(OK, a.update(i, 3, "x" + i));
    }
    assertEquals(10, roundTrips() - before, "each value is looked for");
    assertEquals(OK, a.commit());
    assertEquals(10 + 2 + COMMIT, roundTrips() - before);
  }

  /**
   * Compares transactions with a map, including savepoints, rows that change several times, and
   * scans.
   */
  @ParameterizedTest
  @CsvSource({"1, false", "2, false", "3, false", "4, false", "5, true", "6, true", "7, true"})
  void shouldAgreeWithAMap(long seed, boolean unique) {
    table.removeIndex(owners);
    owners = Accounts.addOwnerIndex(engine, table, unique);
    fill(200);
    Map<Long, String> committed = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      committed.put((long) i, owner(i));
    }
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 60; round++) {
      Map<Long, String> present = new HashMap<>(committed);
      a.begin(random.nextBoolean() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT, false);
      change(random, present, 3);
      if (random.nextInt(4) > 0) {
        assertEquals(OK, a.commit());
        committed = present;
      } else {
        a.abort();
      }
      b.begin(Isolation.SERIALIZABLE, true);
      assertEquals(inOrder(committed), b.ids(owners, true));
      assertEquals(OK, b.commit());
    }
  }

  private void change(SplittableRandom random, Map<Long, String> rows, int depth) {
    int steps = random.nextInt(1, 12);
    for (int step = 0; step < steps; step++) {
      long id = random.nextInt(220);
      String owner = owner(random.nextInt(300));
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> {
          if (rows.containsKey(id)) {
            boolean taken = isTaken(rows, owner, id);
            assertEquals(taken ? DUPLICATE : OK, a.update(id, step, owner));
            rows.computeIfPresent(id, (_, present) -> taken ? present : owner);
          }
        }
        case 3 -> {
          if (rows.remove(id) != null) {
            assertEquals(OK, a.delete(id));
          }
        }
        case 4, 5 -> {
          if (!rows.containsKey(id)) {
            boolean taken = isTaken(rows, owner, id);
            assertEquals(taken ? DUPLICATE : OK, a.insert(id, step, owner));
            rows.computeIfAbsent(id, _ -> taken ? null : owner);
          }
        }
        case 6 -> assertEquals(inOrder(rows), a.ids(owners, true));
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

  private boolean isTaken(Map<Long, String> rows, String owner, long id) {
    return owners.schema().unique()
        && rows.entrySet().stream()
            .anyMatch(row -> row.getKey() != id && row.getValue().equals(owner));
  }

  private static List<Long> inOrder(Map<Long, String> rows) {
    TreeMap<String, Long> order = new TreeMap<>();
    rows.forEach((id, owner) -> order.put(owner + String.format(" %05d", id), id));
    return List.copyOf(order.values());
  }
}
