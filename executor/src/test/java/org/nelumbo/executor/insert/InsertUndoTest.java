package org.nelumbo.executor.insert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.outcome.Outcome.CONFLICT;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.executor.txn.InsertBatch;
import org.nelumbo.executor.txn.TwoSessions;
import org.nelumbo.session.ConflictPolicy;

/** Tests the rollback of rows and entries: its round trips, and the rows that stay. */
@Timeout(120)
class InsertUndoTest extends TwoSessions {
  private static final int ROWS = 4000;

  /** Round trips for entries of secondary indexes in up to 64 leaves; zero without entries. */
  private static final int ENTRIES = 2;

  /**
   * Round trips for entries of the primary index and lookups, for the hash index, and for CVTs if
   * index entries refer to them.
   */
  private static final int FRESH = 3;

  private static final int DEAD = 1;

  /** Additional round trips for an entry in an overflow block of the hash index. */
  private static final int OVERFLOW = 3;

  /** Returns true if the table has a hash index. */
  boolean isHashed() {
    return true;
  }

  private void open(boolean ordered, boolean remote) {
    open(
        remote,
        each -> ordered ? Accounts.create(each, 2, isHashed()) : Accounts.createUnordered(each, 2));
  }

  /** Inserts accounts with even ids, so that there are gaps between them. */
  private void fill() {
    a.begin();
    insert(0, 2, ROWS);
    assertEquals(OK, a.commit());
  }

  private void insert(long first, long step, int count) {
    InsertBatch batch = a.transaction.newInsertBatch();
    for (int i = 0; i < count; i++) {
      a.addTo(batch, first + i * step, 1, owner(first + i * step));
    }
    assertEquals(OK, batch.execute());
  }

  private long roundTripsOfAbort() {
    long before = roundTrips();
    a.abort();
    return roundTrips() - before;
  }

  private void verify(long count) {
    Channel channel = a.coordinator.channel();
    assertEquals(count, table.verify(channel));
    if (table.primary() != null) {
      assertEquals(count, table.primary().tree().verify(channel));
    }
    for (IndexStore index : table.indexes()) {
      assertEquals(count, index.tree().verify(channel));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, true, false",
    "10, true, false",
    "64, true, false",
    "64, false, false",
    "1, true, true",
    "64, true, true",
    "64, false, true"
  })
  void shouldRollBackInConstantRoundTrips(int rows, boolean ordered, boolean indexed) {
    open(ordered, true);
    if (indexed) {
      Accounts.addOwnerIndex(engine, table, false);
    }
    fill();
    a.begin();
    insert(1, 2 * (ROWS / rows), rows);
    boolean hasBoth = ordered && isHashed();
    long most =
        FRESH
            - (hasBoth ? 0 : 1)
            + (indexed ? ENTRIES : 0)
            + (indexed || (ordered && !isHashed()) ? DEAD : 0);
    long taken = roundTripsOfAbort();
    assertTrue(taken >= most && taken <= most + OVERFLOW, "took " + taken);
    verify(ROWS);
    a.begin();
    insert(1, 2 * (ROWS / rows), rows);
    assertEquals(OK, a.commit());
    verify(ROWS + rows);
  }

  @Test
  void shouldRollBackManyRows() {
    open(true, true);
    Accounts.addOwnerIndex(engine, table, false);
    fill();
    a.begin();
    insert(1, 2, 640);
    long taken = roundTripsOfAbort();
    // a few entries of the hash index are in overflow blocks
    assertTrue(taken <= ENTRIES + 10 * (FRESH + DEAD) + 10 * OVERFLOW, "took " + taken);
    verify(ROWS);
    a.begin();
    assertEquals(LongStream.range(0, ROWS).map(i -> 2 * i).boxed().toList(), a.ids(true));
    assertEquals(OK, a.commit());
  }

  @Test
  void shouldRollBackEntriesToSavepointTogether() {
    open(true, true);
    IndexStore owners = Accounts.addOwnerIndex(engine, table, false);
    fill();
    a.begin();
    assertEquals(OK, a.update(0, 1, "kept"));
    long savepoint = a.transaction.savepoint();
    for (int i = 1; i < 60; i++) {
      assertEquals(OK, a.update(i * 100L, 1, owner(i * 100L) + "'"));
    }
    assertEquals(ROWS, a.ids(owners, true).size()); // the scan adds the entries
    assertEquals(ROWS + 60, owners.tree().verify(a.coordinator.channel()));
    long before = roundTrips();
    a.transaction.rollbackTo(savepoint);
    assertEquals(ENTRIES, roundTrips() - before);
    assertEquals(ROWS + 1, owners.tree().verify(a.coordinator.channel()));
    assertEquals(OK, a.commit());
    b.begin();
    assertEquals(ROWS, b.ids(owners, true).size());
    assertEquals("kept", b.owner(0));
    assertEquals(OK, b.commit());
  }

  @Test
  void shouldRemoveRolledBackRowsAtCommit() {
    open(true, true);
    Accounts.addOwnerIndex(engine, table, false);
    fill();
    a.begin();
    insert(1, 100, 10);
    long savepoint = a.transaction.savepoint();
    insert(3, 100, 50);
    a.transaction.rollbackTo(savepoint);
    for (int i = 0; i < 5; i++) {
      assertEquals(OK, a.delete(1 + i * 100));
    }
    assertEquals(OK, a.insert(3, 1, owner(3)));
    long before = roundTrips();
    assertEquals(OK, a.commit());
    // log and timestamps; the first commit creates the log; at most two are for the entries
    assertTrue(roundTrips() - before <= 4 + ENTRIES + FRESH + DEAD, () -> "" + roundTrips());
    assertEquals(ROWS + 6, table.verify(a.coordinator.channel()));
    assertEquals(ROWS + 6, table.primary().tree().verify(a.coordinator.channel()));
    b.begin();
    assertEquals(ROWS + 6, b.ids(true).size());
    assertEquals(-1, b.balance(103));
    assertEquals(1, b.balance(3));
    assertEquals(OK, b.commit());
  }

  /**
   * The rows are written, but not their entries in the primary index, where another transaction has
   * scanned the range.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldRollBackFailedInsert(boolean remote) {
    open(true, remote);
    a.transaction.setConflictPolicy(ConflictPolicy.NO_WAIT, 0);
    fill();
    for (long low : new long[] {10, 3000, 7000}) {
      b.begin();
      assertEquals(5, b.count(low, low + 8, LockMode.READ));
      a.begin();
      InsertBatch batch = a.transaction.newInsertBatch();
      for (int i = 0; i < 60; i++) {
        a.addTo(batch, 1 + i * 130, 1, null);
      }
      a.addTo(batch, low + 3, 1, null);
      assertEquals(CONFLICT, batch.execute());
      a.abort();
      assertEquals(5, b.count(low, low + 8, LockMode.READ));
      assertEquals(OK, b.commit());
      verify(ROWS);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldRollBackRowsWithCollidingKeys(boolean remote) {
    open(true, remote);
    Accounts.addOwnerIndex(engine, table, false);
    fill();
    long lotusKey = a.lotusKey(10);
    a.begin();
    a.forceLotusKey(lotusKey);
    for (int i = 1; i < 12; i += 2) {
      assertEquals(OK, a.insert(i, 1, "x"));
    }
    a.abort();
    verify(ROWS);
    a.forceLotusKey(0);
    a.begin();
    assertEquals(1, a.balance(10));
    assertEquals(OK, a.commit());
  }

  /**
   * Meanwhile another transaction latches and splits leaves, and splits segments of the hash index.
   */
  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void shouldRollBackDuringConcurrentInserts(boolean ordered, boolean remote)
      throws InterruptedException {
    open(ordered, remote);
    Accounts.addOwnerIndex(engine, table, true);
    List<Throwable> failed = new ArrayList<>();
    Thread other =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((_, failure) -> failed.add(failure))
            .start(this::insertEvenOnes);
    SplittableRandom random = new SplittableRandom(3);
    while (other.isAlive()) {
      a.begin();
      InsertBatch batch = a.transaction.newInsertBatch();
      for (int i = random.nextInt(1, 200); i > 0; i--) {
        long id = 2L * i * random.nextInt(1, 10) + 1;
        if (batch.size() % 7 < 6) {
          a.addTo(batch, 40_000 + id * 1000 + i, 1, owner(id) + " " + i);
        }
      }
      Outcome status = batch.execute();
      assertTrue(status == OK || status == CONFLICT);
      a.abort();
    }
    other.join();
    assertEquals(List.of(), failed);
    verify(4000);
  }

  private void insertEvenOnes() {
    for (int i = 0; i < 4000; i += 20) {
      Outcome status = CONFLICT;
      while (status == CONFLICT) {
        b.begin();
        InsertBatch batch = b.transaction.newInsertBatch();
        for (int j = i; j < i + 20; j++) {
          b.addTo(batch, 2000L * j, 1, owner(j));
        }
        status = batch.execute();
        if (status == OK) {
          assertEquals(OK, b.commit());
        } else {
          b.abort();
        }
      }
      assertEquals(OK, status);
    }
  }
}
