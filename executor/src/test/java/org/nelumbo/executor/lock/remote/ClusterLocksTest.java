package org.nelumbo.executor.lock.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.cache.OwnedCopies;
import org.nelumbo.executor.cache.OwnedLeaves;
import org.nelumbo.executor.lock.LockAcquirer;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockResult;
import org.nelumbo.executor.lock.LockSet;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.Priority;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.session.ConflictPolicy;

/** Tests the locks of three compute nodes on separate threads. */
@Timeout(60)
class ClusterLocksTest {
  private static final LockResult BEHIND = LockResult.BEHIND;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** One key in each of the three ranges of shards. */
  private static final long KEY_A = 1L << 62 | 10;

  private static final long KEY_B = 1L << 62 | 2000;
  private static final long KEY_C = 1L << 62 | 4000;

  private final Environment environment = new SystemEnvironment();
  private final LocalPeers peers = new LocalPeers();
  private final List<PeerId> ids = List.of(new PeerId(0, 1), new PeerId(1, 1), new PeerId(2, 1));
  private final ShardMap map = ShardMap.first(1, ids);
  private final Node a = new Node(ids.get(0));
  private final Node b = new Node(ids.get(1));
  private final Node c = new Node(ids.get(2));

  private final AtomicBoolean isOver = new AtomicBoolean();

  private final class Node {
    final LockTable table = new LockTable(environment, 512);
    final Set<Long> writtenByOthers = ConcurrentHashMap.newKeySet();
    final List<String> changes = Collections.synchronizedList(new ArrayList<>());
    final ClusterLocks locks;

    /** Cached rows; they record invalidations. */
    private final OwnedCopies copies =
        new OwnedCopies() {
          @Override
          public void forget(long key) {
            writtenByOthers.add(key);
            changes.add("forgets " + key);
          }

          @Override
          public void written(long key) {
            writtenByOthers.add(key);
          }

          @Override
          public long address(long key) {
            return key & 0xFFFF0;
          }

          @Override
          public void forgetShards(LongPredicate keys) {
            changes.add(
                "forgets "
                    + LongStream.of(KEY_A, KEY_B, KEY_C).filter(keys).boxed().toList().size());
          }

          @Override
          public void renew() {
            changes.add("renews");
          }
        };

    Node(PeerId id) {
      locks =
          new ClusterLocks(
              environment, table, peers.of(id), map, copies, TIMEOUT_NANOS, _ -> {}, _ -> {});
      locks.start();
    }

    LockAcquirer acquirer(int slot) {
      return acquirer(slot, new CancellationToken(environment));
    }

    LockAcquirer acquirer(int slot, CancellationToken token) {
      return new LockAcquirer(
          environment,
          table,
          new LockSet(),
          token,
          _ -> {},
          locks.coordinator(slot),
          OwnedLeaves.NONE);
    }
  }

  private static LockAcquirer begin(LockAcquirer locks, long age) {
    locks.begin(Priority.of(age << 10, 1, (int) age), ConflictPolicy.WAIT_DIE, TIMEOUT_NANOS);
    return locks;
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(100_000);
    }
  }

  private static BitSet shardOf(long key) {
    BitSet shards = new BitSet();
    shards.set(LockShards.of(key));
    return shards;
  }

  @AfterEach
  void stop() {
    a.locks.stop();
    b.locks.stop();
    c.locks.stop();
  }

  /** One request to each owner, and one at the end, for any number of locks. */
  @Test
  void shouldSendOneLockRequestPerOwner() {
    LockAcquirer locks = begin(a.acquirer(0), 1);
    long[] keys = {KEY_A, KEY_B, KEY_B + 1, KEY_C, KEY_C + 1, KEY_C + 2, KEY_C};
    assertEquals(Outcome.OK, locks.acquireAhead(keys, keys.length, LockMode.WRITE));
    for (long key : keys) {
      assertEquals(Outcome.OK, locks.acquire(key, LockMode.WRITE));
    }
    assertEquals(2, peers.requests());
    assertTrue(b.table.isWriteLocked(KEY_B));
    assertTrue(c.table.isWriteLocked(KEY_C + 2));
    assertFalse(a.table.isWriteLocked(KEY_B));
    assertEquals(Set.of(KEY_B, KEY_B + 1), b.writtenByOthers);
    locks.releaseAll();
    assertEquals(4, peers.requests());
    await(() -> b.table.heldCount() + c.table.heldCount() == 0);
  }

  /** A grant contains the address of the row, so that no index lookup is needed. */
  @Test
  void shouldReturnRowAddressesWithGrants() {
    LockAcquirer locks = begin(a.acquirer(0), 1);
    long[] keys = {KEY_B, KEY_C};
    assertEquals(Outcome.OK, locks.acquireAhead(keys, 2, LockMode.READ));
    assertEquals(Outcome.OK, locks.acquire(KEY_B + 64, LockMode.WRITE));
    assertEquals(KEY_B + 64 & 0xFFFF0, locks.rowAddress());
    assertEquals(Outcome.OK, locks.acquire(KEY_A, LockMode.WRITE));
    assertEquals(0, locks.rowAddress(), "nobody is asked for a lock of this compute node");
    assertEquals(KEY_B & 0xFFFF0, locks.rowAddress(KEY_B));
    assertEquals(KEY_C & 0xFFFF0, locks.rowAddress(KEY_C));
    assertEquals(0, locks.rowAddress(KEY_C + 1));
    assertEquals(List.of(), b.changes, "a transaction does not take rows away");
    locks.releaseAll();
  }

  /** Cached rows are dropped before another compute node owns their locks. */
  @Test
  void shouldNotifyCachesOfShardOwnershipChanges() {
    LockAcquirer locks = begin(a.acquirer(0), 1);
    assertEquals(Outcome.OK, locks.acquire(KEY_B, LockMode.WRITE));
    b.writtenByOthers.clear();
    locks.releaseAll();
    await(() -> b.writtenByOthers.contains(KEY_B));
    await(() -> b.table.heldCount() == 0);
    b.locks.freeze(shardOf(KEY_B));
    assertFalse(b.locks.isOwned(KEY_B));
    assertEquals(List.of("forgets 3"), b.changes);
    b.locks.thaw(shardOf(KEY_B));
    assertTrue(b.locks.isOwned(KEY_B));
    assertEquals(List.of("forgets 3", "renews"), b.changes);
    c.locks.install(map.given(shardOf(KEY_B), ids.get(2)));
    assertEquals(List.of("renews"), c.changes);
    b.locks.install(map.given(shardOf(KEY_B), ids.get(2)));
    assertEquals(List.of("forgets 3", "renews", "forgets 3"), b.changes);
  }

  @Test
  void shouldSendNothingForOwnShards() {
    LockAcquirer locks = begin(a.acquirer(0), 1);
    assertEquals(Outcome.OK, locks.acquireAhead(new long[] {KEY_A}, 1, LockMode.READ));
    assertEquals(Outcome.OK, locks.acquire(KEY_A, LockMode.WRITE));
    assertEquals(Outcome.OK, locks.hold());
    locks.releaseAll();
    assertEquals(0, peers.requests());
  }

  @Test
  void shouldApplyWaitDieAcrossMembers() throws InterruptedException {
    LockAcquirer holder = begin(b.acquirer(0), 5);
    assertEquals(Outcome.OK, holder.acquire(KEY_B, LockMode.WRITE));
    LockAcquirer younger = begin(c.acquirer(0), 6);
    assertEquals(Outcome.OK, younger.acquire(KEY_C, LockMode.READ));
    assertEquals(Outcome.CONFLICT, younger.acquire(KEY_B, LockMode.READ));
    younger.releaseAll();
    LockAcquirer older = begin(a.acquirer(0), 4);
    assertEquals(Outcome.OK, older.acquire(KEY_A, LockMode.READ));
    AtomicReference<Outcome> outcome = new AtomicReference<>();
    Thread waiter =
        Thread.ofPlatform().start(() -> outcome.set(older.acquire(KEY_B, LockMode.READ)));
    await(older::isWaiting);
    holder.releaseAll();
    waiter.join();
    assertEquals(Outcome.OK, outcome.get());
    older.releaseAll();
    await(() -> b.table.heldCount() == 0);
  }

  /** An earlier retry would be refused again. */
  @Test
  void shouldAwaitOlderHolderAheadOfYoungerRequests() throws InterruptedException {
    LockAcquirer holder = begin(b.acquirer(0), 5);
    assertEquals(Outcome.OK, holder.acquire(KEY_B, LockMode.WRITE));
    LockAcquirer younger = begin(c.acquirer(0), 6);
    refuse(younger);
    Thread waiter = awaitOlderAgainAndAgain(younger);
    awaitBehind();
    isOver.set(true);
    holder.releaseAll();
    waiter.join();
    assertEquals(Outcome.OK, begin(younger, 6).acquire(KEY_B, LockMode.WRITE), "the retry");
    younger.releaseAll();
    await(() -> b.table.heldCount() + c.table.heldCount() == 0);
  }

  @Test
  void shouldNotBlockYoungerRequestsAfterCancelledWait() throws InterruptedException {
    LockAcquirer holder = begin(b.acquirer(0), 5);
    assertEquals(Outcome.OK, holder.acquire(KEY_B, LockMode.WRITE));
    CancellationToken token = new CancellationToken(environment);
    token.arm(0);
    LockAcquirer younger = begin(c.acquirer(0, token), 6);
    refuse(younger);
    Thread waiter = awaitOlderAgainAndAgain(younger);
    awaitBehind();
    isOver.set(true);
    token.cancel();
    waiter.join();
    await(() -> b.table.tryAcquire(KEY_B, LockMode.READ, Priority.of(7 << 10, 1, 7)) != BEHIND);
    holder.releaseAll();
    await(() -> b.table.heldCount() == 0);
  }

  private static void refuse(LockAcquirer younger) {
    assertEquals(Outcome.OK, younger.acquire(KEY_C, LockMode.READ));
    assertEquals(Outcome.CONFLICT, younger.acquire(KEY_B, LockMode.READ));
    younger.releaseAll();
  }

  /** Waits again and again, since one wait may reach its limit before the test has checked it. */
  private Thread awaitOlderAgainAndAgain(LockAcquirer younger) {
    return Thread.ofPlatform()
        .start(
            () -> {
              while (!isOver.get()) {
                younger.awaitOlder();
              }
            });
  }

  /** Waits until a transaction of age 7 stays behind another one that waits at b. */
  private void awaitBehind() {
    await(() -> b.table.tryAcquire(KEY_B, LockMode.READ, Priority.of(7 << 10, 1, 7)) == BEHIND);
  }

  @Test
  void shouldNameTheLockThatIsMissing() {
    LockAcquirer holder = begin(c.acquirer(0), 1);
    assertEquals(Outcome.OK, holder.acquire(KEY_C + 1, LockMode.WRITE));
    LockAcquirer younger = begin(a.acquirer(0), 2);
    long[] keys = {KEY_B, KEY_C, KEY_C + 1};
    assertEquals(Outcome.CONFLICT, younger.acquireAhead(keys, keys.length, LockMode.READ));
    assertTrue(younger.holds(KEY_B));
    assertTrue(younger.holds(KEY_C));
    String missing = Long.toHexString(KEY_C + 1);
    assertTrue(younger.describeFailure().contains(missing), younger.describeFailure());
    younger.releaseAll();
    holder.releaseAll();
    await(() -> b.table.heldCount() + c.table.heldCount() == 0);
  }

  /** The caller may hold latches: nothing is sent, and the index retries without latches. */
  @Test
  void shouldSendNothingWhileHoldingLatch() {
    long leaf = 1L << 20;
    while (LockShards.of(leaf) < 2000) {
      leaf += 1 << 16;
    }
    LockAcquirer locks = begin(a.acquirer(0), 1);
    assertFalse(locks.leafGuard().tryEnterInsert(leaf));
    assertEquals(0, peers.requests());
    assertTrue(locks.leafGuard().enterInsert(leaf));
    locks.leafGuard().exitInsert(leaf);
    assertTrue(locks.leafGuard().enterScan(leaf));
    long other = leaf + 1024;
    assertFalse(locks.leafGuard().tryPassRange(leaf, other));
    assertTrue(locks.leafGuard().passRange(leaf, other));
    assertTrue(locks.holds(other, LockMode.READ));
    locks.releaseAll();
    await(() -> b.table.heldCount() + c.table.heldCount() == 0);
  }

  @Test
  void shouldFreeOtherShardsWhileOneHasHeldLocks() {
    BitSet shards = shardOf(KEY_A);
    LockAcquirer writer = begin(a.acquirer(0), 1);
    assertEquals(Outcome.OK, writer.acquire(KEY_A, LockMode.WRITE));
    int other =
        map.shardsOf(ids.get(0)).stream().filter(each -> !shards.get(each)).findAny().orElseThrow();
    shards.set(other);
    a.locks.freeze(shards);
    BitSet free = new BitSet();
    free.set(other);
    assertEquals(free, a.locks.free(shards));
    writer.releaseAll();
    assertEquals(shards, a.locks.free(shards));
  }

  @Test
  void shouldAbortHoldersOfLocksOfFailedMember() {
    LockAcquirer reader = begin(a.acquirer(0), 1);
    assertEquals(Outcome.OK, reader.acquire(KEY_B, LockMode.READ));
    LockAcquirer writer = begin(a.acquirer(1), 2);
    assertEquals(Outcome.OK, writer.acquire(KEY_B + 1, LockMode.WRITE));
    LockAcquirer other = begin(a.acquirer(2), 3);
    assertEquals(Outcome.OK, other.acquire(KEY_C, LockMode.WRITE));
    assertEquals(Outcome.OK, writer.hold());
    ShardMap without = map.without(ids.get(1));
    a.locks.install(without);
    c.locks.install(without);
    assertTrue(reader.isRevoked());
    assertEquals(Outcome.CONFLICT, reader.hold());
    assertFalse(a.locks.isDrained());
    assertTrue(c.locks.isDrained());
    writer.releaseAll();
    assertTrue(a.locks.isDrained());
    assertEquals(Outcome.NOT_FOUND, other.acquireNow(KEY_B, LockMode.READ));
    assertEquals(Outcome.OK, other.hold());
    reader.releaseAll();
    other.releaseAll();
    await(() -> c.table.heldCount() == 0);
  }

  /**
   * A transaction with a lock of a live owner waits until a shard without an owner gets one,
   * whatever its age.
   */
  @Test
  void shouldWaitUntilShardHasNewOwner() throws InterruptedException {
    ShardMap without = map.without(ids.get(1));
    a.locks.install(without);
    c.locks.install(without);
    LockAcquirer waiting = begin(a.acquirer(0), 5);
    assertEquals(Outcome.OK, waiting.acquire(KEY_C, LockMode.WRITE));
    AtomicReference<Outcome> outcome = new AtomicReference<>();
    Thread thread = new Thread(() -> outcome.set(waiting.acquire(KEY_B, LockMode.WRITE)));
    thread.start();
    await(waiting::isWaiting);
    int requests = peers.requests();
    LockSupport.parkNanos(5_000_000);
    assertEquals(requests, peers.requests(), "nobody is there to be asked");
    ShardMap dealt = without.dealt(List.of(ids.get(2)));
    c.locks.install(dealt);
    a.locks.install(dealt);
    thread.join();
    assertEquals(Outcome.OK, outcome.get());
    assertTrue(c.table.isWriteLocked(KEY_B));
    waiting.releaseAll();
    await(() -> c.table.heldCount() == 0);
  }

  @Test
  void shouldNotAwaitNewOwnerWithLocksOfFailedOwner() throws InterruptedException {
    LockAcquirer holder = begin(a.acquirer(0), 1);
    assertEquals(Outcome.OK, holder.acquire(KEY_B, LockMode.WRITE));
    assertEquals(Outcome.OK, holder.hold());
    LockAcquirer other = begin(a.acquirer(1), 2);
    other.begin(Priority.of(2 << 10, 1, 2), ConflictPolicy.WAIT_DIE, 1_000_000);
    a.locks.install(map.without(ids.get(1)));
    assertEquals(Outcome.CONFLICT, holder.acquire(KEY_B + 1, LockMode.WRITE));
    assertEquals(Outcome.CONFLICT, other.acquire(KEY_B, LockMode.WRITE), "its time is over");
    assertTrue(other.isTimedOut());
    assertTrue(other.describeFailure().contains("has failed"), other.describeFailure());
    holder.releaseAll();
    other.releaseAll();
  }

  /** The holder waits for a lock when other transactions begin to wait for its end. */
  @Test
  void shouldEndLockWaitWhenOwnerOfHeldLockFails() throws InterruptedException {
    LockAcquirer younger = begin(c.acquirer(0), 9);
    assertEquals(Outcome.OK, younger.acquire(KEY_C, LockMode.WRITE));
    LockAcquirer holder = begin(a.acquirer(0), 1);
    assertEquals(Outcome.OK, holder.acquire(KEY_B, LockMode.WRITE));
    assertEquals(Outcome.OK, holder.hold());
    AtomicReference<Outcome> outcome = new AtomicReference<>();
    Thread thread = new Thread(() -> outcome.set(holder.acquire(KEY_C, LockMode.WRITE)));
    thread.start();
    await(holder::isWaiting);
    a.locks.install(map.without(ids.get(1)));
    thread.join();
    assertEquals(Outcome.CONFLICT, outcome.get());
    assertTrue(
        holder.describeFailure().contains("a lock of the transaction"), holder.describeFailure());
    holder.releaseAll();
    younger.releaseAll();
  }

  @Test
  void shouldReleaseLocksOfFailedMember() {
    LockAcquirer dead = begin(b.acquirer(0), 1);
    assertEquals(Outcome.OK, dead.acquire(KEY_A, LockMode.WRITE));
    assertTrue(a.table.isWriteLocked(KEY_A));
    a.locks.install(map.without(ids.get(1)));
    assertTrue(a.table.isWriteLocked(KEY_A));
    a.locks.releaseHolders(ids.get(1));
    await(() -> a.table.heldCount() == 0);
  }

  @Test
  void shouldMoveShardsThatAreFree() throws InterruptedException {
    BitSet shards = shardOf(KEY_B);
    LockAcquirer holder = begin(a.acquirer(0), 1);
    assertEquals(Outcome.OK, holder.acquire(KEY_B, LockMode.READ));
    b.locks.freeze(shards);
    assertTrue(b.locks.free(shards).isEmpty());
    LockAcquirer next = begin(b.acquirer(0), 2);
    AtomicReference<Outcome> outcome = new AtomicReference<>();
    Thread waiter =
        Thread.ofPlatform().start(() -> outcome.set(next.acquire(KEY_B, LockMode.WRITE)));
    b.locks.abortHolders(shards);
    await(holder::isRevoked);
    await(() -> b.locks.free(shards).equals(shards));
    holder.releaseAll();
    ShardMap moved = map.given(shards, ids.get(2));
    b.locks.install(moved);
    c.locks.install(moved);
    waiter.join();
    assertEquals(Outcome.OK, outcome.get());
    assertTrue(c.table.isWriteLocked(KEY_B));
    assertEquals(0, b.table.heldCount());
    next.releaseAll();
    await(() -> c.table.heldCount() == 0);
  }

  @Test
  void shouldFreezeNoShardsThatItDoesNotOwnYet() {
    BitSet shards = shardOf(KEY_B);
    c.locks.freeze(shards);
    assertTrue(c.locks.free(shards).isEmpty());
    ShardMap moved = map.given(shards, ids.get(2));
    b.locks.install(moved);
    c.locks.install(moved);
    assertTrue(c.locks.free(shards).isEmpty());
    LockAcquirer holder = begin(c.acquirer(0), 1);
    assertEquals(Outcome.OK, holder.acquire(KEY_B, LockMode.WRITE));
    holder.releaseAll();
  }

  @Test
  void shouldRefuseLocksBeyondCapacityOfOwner() {
    LockTable table = new LockTable(environment, 512);
    ServedShards served = new ServedShards(map, ids.get(0), new BitSet());
    PeerId asking = ids.get(2);
    AtomicReference<LockReply> reply = new AtomicReference<>();
    LocalPeers others = new LocalPeers();
    others.of(asking).listen((_, message) -> reply.set(LockReply.decode(message.position(1))));
    LockService service =
        new LockService(
            environment, table, others.of(ids.get(0)), () -> served, OwnedCopies.NONE, 2);
    LockRequest request = new LockRequest();
    request.epoch = 1;
    request.begin = 1;
    request.sequence = 2;
    for (int i = 0; i < 4; i++) {
      request.addLock(KEY_A + i, LockMode.READ.code());
    }
    service.handle(asking, request);
    byte[] statuses = reply.get().statuses();
    assertEquals(LockResult.GRANTED, LockResult.of(statuses[1]));
    assertEquals(LockResult.FULL, LockResult.of(statuses[2]));
    assertEquals(LockResult.DIE, LockResult.of(statuses[3]));
    assertEquals(2, service.grantCount());
    LockRequest end = new LockRequest();
    end.begin = 3;
    end.sequence = 3;
    service.handle(asking, end);
    assertEquals(0, table.heldCount());
    assertEquals(0, service.grantCount());
  }

  /** The set of locks shrinks while the locks are released. */
  @Test
  void shouldReleaseAllLocksOfLargeTransaction() {
    LockTable table = new LockTable(environment, 1 << 14);
    ServedShards served = new ServedShards(map, ids.get(0), new BitSet());
    LocalPeers others = new LocalPeers();
    others.of(ids.get(2)).listen((_, _) -> {});
    LockService service =
        new LockService(
            environment, table, others.of(ids.get(0)), () -> served, OwnedCopies.NONE, 1 << 20);
    for (int round = 0; round < 100; round++) {
      LockRequest request = new LockRequest();
      request.epoch = 1;
      request.begin = 1;
      request.sequence = 2 + round;
      for (int i = 0; i < 100; i++) {
        request.addLock(1L << 62 | round * 100L + i << 12, LockMode.READ.code());
      }
      service.handle(ids.get(2), request);
    }
    assertEquals(10_000, service.grantCount());
    LockRequest end = new LockRequest();
    end.begin = 1000;
    end.sequence = 1000;
    service.handle(ids.get(2), end);
    assertEquals(0, service.grantCount());
    assertEquals(0, table.heldCount());
  }

  @Test
  void shouldRejectLockTableWithInexactKeys() {
    LockTable small = new LockTable(environment, 64);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new ClusterLocks(
                environment,
                small,
                peers.of(ids.get(0)),
                map,
                OwnedCopies.NONE,
                0,
                _ -> {},
                _ -> {}));
  }
}
