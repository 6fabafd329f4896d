package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockResult;
import org.nelumbo.executor.lock.Priority;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.IndexStore;

/** Tests batch inserts on a remote fabric, where they take fewer round trips. */
@Timeout(120)
class RemoteInsertBatchTest extends InsertBatchTest {
  private Runnable afterFlush = () -> {};

  @Override
  CountingFabric counted(Fabric memory) {
    return new CountingFabric(new DistantFabric(new Watched(memory)));
  }

  /** A fabric that runs a hook after each flush. */
  private final class Watched extends ForwardingFabric {
    Watched(Fabric fabric) {
      super(fabric);
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      return new ForwardingChannel(fabric.openChannel(stagingBytes)) {
        @Override
        public void flush() {
          channel.flush();
          afterFlush.run();
        }
      };
    }
  }

  @Override
  int roundTrips() {
    return 2; // CVTs, lookups, latch and read the leaf; hash entries, write the leaf
  }

  private long roundTripsSoFar() {
    return a.coordinator.counters().roundTrips();
  }

  @Test
  void shouldAddEntriesOfAllIndexesTogether() {
    Accounts.addOwnerIndex(engine, table, false);
    a.begin();
    assertEquals(OK, a.insert(1, 10, "x"));
    long before = roundTripsSoFar();
    assertEquals(OK, a.insert(2, 20, "y"));
    assertEquals(2, roundTripsSoFar() - before);
    assertEquals(OK, a.commit());
    verify();
  }

  @Test
  void shouldLookForUniqueValuesInOneRoundTripMore() {
    Accounts.addOwnerIndex(engine, table, true);
    a.begin();
    assertEquals(OK, a.insert(1, 10, "x"));
    long before = roundTripsSoFar();
    for (int i = 2; i < 12; i++) {
      a.addTo(batch, i, 1, "owner " + i);
    }
    assertEquals(OK, batch.execute());
    assertEquals(3, roundTripsSoFar() - before);
    assertEquals(OK, a.commit());
    a.begin();
    before = roundTripsSoFar();
    assertEquals(OK, a.insert(20, 20, null));
    assertEquals(2, roundTripsSoFar() - before, "a NULL needs no look");
    assertEquals(Outcome.DUPLICATE, a.insert(21, 20, "owner 5"));
    assertEquals(OK, a.insert(22, 20, "owner 22"));
    assertEquals(OK, a.commit());
    verify();
  }

  /**
   * Another transaction inserts the value of the last row after each of the flushes. The leaf of
   * that value is also the leaf of the first row, while the path to the leaf of the second row has
   * to be read.
   */
  @Test
  void shouldLookForUniqueValuesWhenAllAreLocked() {
    IndexStore owners = Accounts.addOwnerIndex(engine, table, true);
    a.begin();
    for (int i = 0; i < 10_000; i++) {
      a.addTo(batch, i, 1, String.format("o%05d", 2 * i));
    }
    assertEquals(OK, batch.execute());
    assertEquals(OK, a.commit());
    for (int flushes = 1; flushes < 12; flushes++) {
      table.removeIndex(owners);
      owners = table.newIndex(engine.environment(), owners.schema(), owners.root());
      table.addIndex(owners);
      String wanted = String.format("o%05d", 40 * flushes + 5);
      batch.clear();
      a.begin();
      a.addTo(batch, 20_001, 1, String.format("o%05d", 40 * flushes + 3));
      a.addTo(batch, 20_002, 1, String.format("o%05d", 15_001 + 2 * flushes));
      a.addTo(batch, 20_003, 1, wanted);
      boolean[] taken = takenAfter(flushes, wanted);
      Outcome status = batch.execute();
      afterFlush = () -> {};
      assertEquals(taken[0] ? Outcome.DUPLICATE : OK, status, "after flush " + flushes);
      a.abort();
    }
  }

  private boolean[] takenAfter(int flushes, String owner) {
    boolean[] taken = new boolean[1];
    AtomicInteger left = new AtomicInteger(flushes);
    afterFlush =
        () -> {
          if (left.decrementAndGet() == 0) {
            b.begin();
            taken[0] = b.insert(30_000 + flushes, 1, owner) == OK;
            if (taken[0]) {
              assertEquals(OK, b.commit());
            } else {
              b.abort();
            }
          }
        };
    return taken;
  }

  /**
   * Two transactions insert one value: the lock of the value decides, not the order of their
   * lookups.
   */
  @Test
  void shouldGrantUniqueValueToOneTransactionOnly() {
    Accounts.addOwnerIndex(engine, table, true);
    a.begin();
    b.begin();
    assertEquals(OK, a.insert(1, 10, "x"));
    assertNotEquals(OK, b.insert(2, 10, "x"), "the younger one dies");
    b.abort();
    assertEquals(OK, a.commit());
    b.begin();
    assertEquals(Outcome.DUPLICATE, b.insert(2, 10, "x"));
    b.abort();
    a.begin();
    assertEquals(OK, a.delete(1));
    assertEquals(OK, a.commit());
    b.begin();
    assertEquals(OK, b.insert(2, 10, "x"));
    assertEquals(OK, b.commit());
    verify();
  }

  /**
   * The primary index comes first. Its leaf is scanned by another transaction, for which the insert
   * waits.
   */
  @Test
  void shouldHoldNoOtherLeafWhileWaitingForLeaf() throws InterruptedException {
    IndexStore owners = Accounts.addOwnerIndex(engine, table, false);
    long leaf = owners.tree().leaf(a.coordinator.channel(), new byte[0], 0);
    AtomicReference<Outcome> status = new AtomicReference<>();
    try (Accounts scanner = new Accounts(engine, table)) {
      a.begin();
      scanner.begin();
      assertEquals(List.of(), scanner.ids(true));
      Thread inserter = Thread.ofPlatform().start(() -> status.set(a.insert(1, 10, "x")));
      while (!a.transaction.isWaiting() && inserter.isAlive()) {
        LockSupport.parkNanos(100_000);
      }
      LockResult scan =
          engine.lockTable().tryAcquire(leaf, LockMode.READ, Priority.ofCollector(engine.clock()));
      assertEquals(OK, scanner.commit());
      inserter.join();
      assertEquals(LockResult.GRANTED, scan, "the inserter was in the other leaf while it waited");
    }
    engine.lockTable().release(leaf, LockMode.READ);
    assertEquals(OK, status.get());
    assertEquals(OK, a.commit());
    verify();
  }

  @Test
  void shouldInsertIntoManyLeavesInFewRoundTrips() {
    IndexStore owners = Accounts.addOwnerIndex(engine, table, false);
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      ids.add(i);
    }
    Collections.shuffle(ids, new Random(1));
    a.begin();
    for (int i = 0; i < ids.size() - 64; i++) {
      a.addTo(batch, ids.get(i), 1, "owner " + ids.get(i) * 7919L % 10_000);
    }
    assertEquals(OK, batch.execute());
    batch.clear();
    for (int id : ids.subList(ids.size() - 64, ids.size())) {
      a.addTo(batch, id, 1, "owner " + id * 7919L % 10_000);
    }
    long before = roundTripsSoFar();
    assertEquals(OK, batch.execute());
    long taken = roundTripsSoFar() - before;
    assertEquals(OK, a.commit());
    assertEquals(10_000, owners.tree().verify(a.coordinator.channel()));
    verify();
    // 128 entries in nearly as many leaves, 64 at a time; some leaves are full
    assertTrue(taken <= 32, "round trips " + taken);
  }
}
