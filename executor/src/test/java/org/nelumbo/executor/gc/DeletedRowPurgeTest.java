package org.nelumbo.executor.gc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.outcome.Outcome.NOT_FOUND;
import static org.nelumbo.executor.outcome.Outcome.OK;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.executor.engine.PoolInspector;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.executor.txn.TwoSessions;
import org.nelumbo.session.Isolation;

/** Tests the removal of deleted rows on a remote fabric. */
@Timeout(120)
class DeletedRowPurgeTest extends TwoSessions {
  /**
   * Round trips of a purge: windows and CVTs; records; latches and leaves of both indexes; hash
   * entries; dead CVTs.
   */
  int purgeRoundTrips() {
    return 6;
  }

  @BeforeEach
  void open() {
    open(2);
  }

  /** Returns true if the table has a hash index. */
  boolean isHashed() {
    return true;
  }

  private void open(int versions) {
    open(true, each -> Accounts.create(each, versions, isHashed()));
    Accounts.addOwnerIndex(engine, table, false);
  }

  private void insert(int from, int to) {
    a.begin();
    for (long id = from; id < to; id++) {
      assertEquals(OK, a.insert(id, id * 10, "o" + id % 3));
    }
    assertEquals(OK, a.commit());
  }

  private void delete(int from, int to) {
    a.begin();
    for (long id = from; id < to; id++) {
      assertEquals(OK, a.delete(id));
    }
    assertEquals(OK, a.commit());
  }

  private GarbageList garbageList() {
    return a.coordinator.retireQueue().garbage();
  }

  /** Collects garbage; returns the number of round trips. */
  private long collect() {
    engine.epochs().refreshHorizon();
    long before = a.coordinator.counters().roundTrips();
    a.coordinator.retireQueue().collect(DeletedRowPurge.ROWS_MAX);
    return a.coordinator.counters().roundTrips() - before;
  }

  private long entries() {
    try (PoolInspector inspector = new PoolInspector(engine)) {
      return inspector.rows(table);
    }
  }

  private void verify(int rows) {
    assertEquals(rows, entries());
    assertEquals(rows, table.primary().tree().verify(a.coordinator.channel()));
    assertEquals(rows, table.indexes()[0].tree().verify(a.coordinator.channel()));
  }

  @Test
  void shouldRemoveManyInAsManyRoundTripsAsOne() {
    insert(0, 40);
    delete(0, 1);
    assertTrue(collect() <= purgeRoundTrips());
    delete(1, 31);
    long taken = collect();
    assertTrue(taken <= purgeRoundTrips(), "took " + taken);
    assertEquals(0, garbageList().size());
    verify(9);
  }

  @Test
  void shouldRemoveIndexEntriesOfAllVersions() {
    insert(0, 10);
    a.begin();
    for (long id = 0; id < 10; id++) {
      assertEquals(OK, a.update(id, 1, "another"));
    }
    assertEquals(OK, a.commit());
    delete(0, 5);
    while (garbageList().size() > 0) {
      collect();
    }
    verify(5);
  }

  @Test
  void shouldKeepReinsertedRowsAndSnapshotVersions() {
    insert(0, 10);
    b.begin(Isolation.SNAPSHOT, true);
    assertEquals(0, b.balance(0)); // begins the snapshot
    delete(0, 10);
    collect();
    assertEquals(90, b.balance(9));
    b.commit();
    insert(3, 5);
    while (garbageList().size() > 0) {
      collect();
    }
    verify(2);
    a.begin();
    assertEquals(30, a.balance(3));
    assertEquals(NOT_FOUND, a.get(7, LockMode.READ));
    assertEquals(OK, a.commit());
  }

  /**
   * The entry with the old value must not be forgotten if the row is inserted again before the
   * purge.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void shouldRemoveOldEntryOfReinsertedRow(int versions) {
    close();
    open(versions);
    insert(0, 10);
    delete(0, 6);
    a.begin();
    assertEquals(OK, a.insert(4, 1, "another"));
    assertEquals(OK, a.commit());
    a.begin();
    assertEquals(OK, a.delete(8));
    assertEquals(OK, a.insert(8, 1, "another"));
    assertEquals(OK, a.update(9, 1, "another"));
    assertEquals(OK, a.delete(9));
    assertEquals(OK, a.commit());
    delete(7, 8);
    for (int i = 0; i < 10; i++) {
      collect();
    }
    assertEquals(0, garbageList().size());
    verify(3);
  }

  @Test
  void shouldPostponePurgeOfLockedRow() {
    insert(0, 10);
    delete(0, 10);
    b.begin();
    assertEquals(OK, b.insert(4, 1, "mine"));
    collect();
    assertEquals(1, garbageList().size());
    assertEquals(OK, b.commit());
    collect();
    assertEquals(0, garbageList().size());
    b.coordinator.retireQueue().collect(1); // its own garbage: the entry with the old value
    verify(1);
  }
}
