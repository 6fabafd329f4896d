package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.txn.Transaction.OK;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fabric.CountingFabric;
import org.nelumbo.dm.fabric.Fabric;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.table.IndexStore;

/** The same where round trips take time: fewer of them. */
@Timeout(120)
class RemoteInsertBatchTest extends InsertBatchTest {
  @Override
  CountingFabric counted(Fabric memory) {
    return new CountingFabric(new DistantFabric(memory));
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
    assertEquals(Transaction.DUPLICATE, a.insert(21, 20, "owner 5"));
    assertEquals(OK, a.insert(22, 20, "owner 22"));
    assertEquals(OK, a.commit());
    verify();
  }

  /** Two want one value: the lock of the value decides, not who has looked first. */
  @Test
  void shouldGiveAValueToOneOnly() {
    Accounts.addOwnerIndex(engine, table, true);
    a.begin();
    b.begin();
    assertEquals(OK, a.insert(1, 10, "x"));
    assertNotEquals(OK, b.insert(2, 10, "x"), "the younger one dies");
    b.abort();
    assertEquals(OK, a.commit());
    b.begin();
    assertEquals(Transaction.DUPLICATE, b.insert(2, 10, "x"));
    b.abort();
    a.begin();
    assertEquals(OK, a.delete(1));
    assertEquals(OK, a.commit());
    b.begin();
    assertEquals(OK, b.insert(2, 10, "x"));
    assertEquals(OK, b.commit());
    verify();
  }

  /** The primary index comes first: its leaf is scanned by another, who is waited for. */
  @Test
  void shouldHoldNoOtherLeafWhileOneIsWaitedFor() throws InterruptedException {
    IndexStore owners = Accounts.addOwnerIndex(engine, table, false);
    long leaf = owners.tree().leaf(a.coordinator.channel(), new byte[0], 0);
    AtomicInteger status = new AtomicInteger(-1);
    try (Accounts scanner = new Accounts(engine, table)) {
      a.begin();
      scanner.begin();
      assertEquals(List.of(), scanner.ids(true));
      Thread inserter = Thread.ofPlatform().start(() -> status.set(a.insert(1, 10, "x")));
      while (!a.transaction.isWaiting() && inserter.isAlive()) {
        Thread.onSpinWait();
      }
      int scan =
          engine.lockTable().tryAcquire(leaf, LockTable.READ, Priority.ofCollector(engine.clock()));
      assertEquals(OK, scanner.commit());
      inserter.join();
      assertEquals(LockTable.GRANTED, scan, "the inserter was in the other leaf while it waited");
    }
    engine.lockTable().release(leaf, LockTable.READ);
    assertEquals(OK, status.get());
    assertEquals(OK, a.commit());
    verify();
  }

  @Test
  void shouldAddToManyLeavesInFewRoundTrips() {
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
    // 128 entries in nearly as many leaves, sixteen at a time; some leaves are full
    assertTrue(taken <= 64, "round trips " + taken);
  }
}
