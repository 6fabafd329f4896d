package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.intent.IntentLayout;
import org.nelumbo.dm.replication.view.Placement;

/** Tests several compute nodes that write to a replicated pool. */
@Timeout(120)
class SharedCopiesTest extends ThreeReplicas {
  private static final int ROUNDS = 1_000;
  private static final long BUMP = 64 << 10;
  private static final int COUNTER = 0;
  private static final int LATCH = 1;
  private static final int LEFT = 2;
  private static final int RIGHT = 300;

  /** Greater than the number of verbs that {@link #addUnderLatch} sends to a memory node. */
  private static final int VERBS_MAX = 20;

  /** Number of verbs, more than an entry takes. */
  private static final int LOOKS = 1_000;

  private final SystemEnvironment environment = new SystemEnvironment();

  private ReplicatedFabric alone() {
    ReplicatedFabric first = open();
    try (Channel channel = first.openChannel(64)) {
      for (int node = 0; node < NODES; node++) {
        put(channel, PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET), BUMP);
      }
    }
    return first;
  }

  private ReplicatedFabric share() {
    ReplicatedFabric first = alone();
    first.share(true);
    return first;
  }

  private ReplicatedFabric enter() {
    return nodes.enter(environment, OPTIONS);
  }

  /**
   * Compares all allocated memory of the copies, except counters, which may be ahead on backups.
   */
  private void assertUsedIsEqual() {
    Placement placement = Placement.of(NODES, NODES, 1, NODE_BYTES);
    for (int logical = 0; logical < placement.logicals(); logical++) {
      byte[] primary = used(placement, logical, 0);
      for (int copy = 1; copy < NODES; copy++) {
        byte[] backup = used(placement, logical, copy);
        assertEquals(-1, Arrays.mismatch(primary, backup), "logical=" + logical + " copy=" + copy);
      }
    }
  }

  private byte[] used(Placement placement, int logical, int copy) {
    int length = (int) BUMP - SuperblockLayout.LENGTH;
    try (Channel channel = nodes.inspect(placement.node(logical, copy))) {
      long at = placement.offset(logical, copy, SuperblockLayout.LENGTH);
      channel.read(PoolAddress.of(0, at), 0, length);
      channel.flush();
      byte[] bytes = channel.staging().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
      Arrays.fill(
          bytes,
          (int) BASE - SuperblockLayout.LENGTH,
          (int) BASE - SuperblockLayout.LENGTH + Long.BYTES,
          (byte) 0);
      return bytes;
    }
  }

  private static boolean latch(Channel channel, long owner) {
    channel.compareAndSwap(word(0, LATCH), 0, owner, 0);
    channel.read(word(0, LEFT), 8, 8);
    channel.read(word(0, RIGHT), 16, 8);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0) == 0;
  }

  /** Increments two words under a latch, which is released after them. */
  private static void addUnderLatch(Channel channel, long owner) {
    while (!latch(channel, owner)) {
      Thread.onSpinWait();
    }
    long left = channel.staging().get(ValueLayout.JAVA_LONG, 8);
    assertEquals(left, channel.staging().get(ValueLayout.JAVA_LONG, 16), "half of a flush is seen");
    channel.writeLong(word(0, LEFT), left + 1);
    channel.writeLong(word(0, RIGHT), left + 1);
    channel.writeRelease(word(0, LATCH), owner, 0);
    channel.flush();
  }

  /** Values drawn by the writers of one compute node. */
  private final BitSet drawn = new BitSet();

  private final List<Throwable> failures = new ArrayList<>();

  private Thread startWriter(ReplicatedFabric fabric, long owner, CountDownLatch begun) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try (Channel channel = fabric.openChannel(64)) {
                for (int round = 0; round < ROUNDS; round++) {
                  int number = (int) add(channel, word(0, COUNTER));
                  synchronized (drawn) {
                    assertFalse(drawn.get(number), "drawn twice number=" + number);
                    drawn.set(number);
                  }
                  addUnderLatch(channel, owner);
                  begun.countDown();
                }
              } catch (RuntimeException | Error e) {
                synchronized (failures) {
                  failures.add(e);
                }
              } finally {
                begun.countDown();
              }
            });
  }

  /** The writers of the first compute node are running when the second one enters. */
  @Test
  void shouldKeepCopiesEqualWithTwoWritingComputeNodes() throws Exception {
    ReplicatedFabric first = alone();
    first.share(true);
    CountDownLatch begun = new CountDownLatch(2);
    List<Thread> writers = new ArrayList<>();
    writers.add(startWriter(first, 1, begun));
    writers.add(startWriter(first, 2, begun));
    begun.await();
    ReplicatedFabric second = enter();
    writers.add(startWriter(second, 3, begun));
    writers.add(startWriter(second, 4, begun));
    for (Thread writer : writers) {
      writer.join();
    }
    assertEquals(List.of(), failures);
    try (Channel channel = first.openChannel(64)) {
      assertEquals(4 * ROUNDS, get(channel, word(0, COUNTER)));
      assertEquals(4 * ROUNDS, get(channel, word(0, LEFT)));
    }
    assertUsedIsEqual();
    second.close();
  }

  /** Waits until a thread is in one of the methods, or has ended. */
  private static void awaitCall(Thread thread, String... methods) {
    while (thread.isAlive()
        && Arrays.stream(thread.getStackTrace())
            .map(each -> each.getClassName() + "." + each.getMethodName())
            .noneMatch(each -> Arrays.stream(methods).anyMatch(each::endsWith))) {
      Thread.onSpinWait();
    }
  }

  /** The compute node fails before each of its calls of a channel to a memory node. */
  @Test
  void shouldCompleteFlushesOfFailedComputeNode() {
    ReplicatedFabric survivor = share();
    boolean[] died = {true};
    for (int calls = 0; died[0]; calls++) {
      ReplicatedFabric dead = enter();
      AtomicInteger left = new AtomicInteger(calls);
      AtomicBoolean isArmed = new AtomicBoolean();
      Thread dying = Thread.currentThread();
      nodes.setBeforeCall(
          () -> {
            if (isArmed.get() && Thread.currentThread() == dying && left.getAndDecrement() == 0) {
              isArmed.set(false);
              throw new OutOfMemoryError("this compute node dies");
            }
          });
      died[0] = false;
      try (Channel channel = dead.openChannel(64)) {
        isArmed.set(true);
        try {
          addUnderLatch(channel, 7);
          add(channel, word(0, COUNTER));
        } catch (OutOfMemoryError e) {
          died[0] = true;
        }
        isArmed.set(false);
      }
      assertEnded(survivor, dead);
    }
    nodes.setBeforeCall(() -> {});
  }

  /**
   * A second completion would overwrite changes that other compute nodes have made since the first
   * one ended.
   */
  @Test
  void shouldCompleteFailedFlushesInOneThreadAtATime() throws Exception {
    ReplicatedFabric survivor = share();
    ReplicatedFabric dead = enter();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread first =
        Thread.ofPlatform().unstarted(() -> survivor.complete(dead.tenant(), _ -> false));
    nodes.setBeforeCall(
        () -> {
          if (Thread.currentThread() == first) {
            begun.countDown();
            awaitLatch(goOn);
          }
        });
    first.start();
    begun.await();
    Thread second = Thread.ofPlatform().start(() -> survivor.complete(dead.tenant(), _ -> false));
    awaitCall(second, "SystemEnvironment.backoff");
    assertTrue(second.isAlive(), "two threads end it");
    goOn.countDown();
    first.join();
    second.join();
    dead.close();
  }

  private void assertEnded(ReplicatedFabric survivor, ReplicatedFabric dead) {
    survivor.complete(dead.tenant(), _ -> false);
    assertUsedIsEqual();
    try (Channel channel = survivor.openChannel(64)) {
      long latch = get(channel, word(0, LATCH));
      assertTrue(latch == 0 || latch == 7, "latch=" + latch);
      if (latch == 7) {
        put(channel, word(0, LATCH), 0); // as recovery does
      }
      long leftWord = get(channel, word(0, LEFT));
      assertEquals(leftWord, get(channel, word(0, RIGHT)), "half of a flush is left");
      addUnderLatch(channel, 1);
    }
    assertUsedIsEqual();
    dead.close();
  }

  /**
   * Each memory node has executed its own prefix of the verbs that the failed compute node had sent
   * to all of them.
   */
  @Test
  void shouldCompleteFlushesCutOffAtDifferentVerbs() {
    nodes.setExecutesFrames(false);
    ReplicatedFabric survivor = share();
    boolean primaryLoses = true;
    for (int verbs = 0; primaryLoses; verbs++) {
      primaryLoses = endsAfter(survivor, verbs, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }
    boolean lastLoses = true;
    for (int verbs = 0; lastLoses; verbs++) {
      lastLoses = endsAfter(survivor, Integer.MAX_VALUE, Integer.MAX_VALUE, verbs);
      boolean otherLoses = true;
      for (int other = 0; otherLoses; other++) {
        otherLoses = endsAfter(survivor, Integer.MAX_VALUE, other, verbs) && other < VERBS_MAX;
      }
    }
  }

  /** Returns true if the compute node has lost a verb; otherwise the work finished before that. */
  private boolean endsAfter(ReplicatedFabric survivor, int... verbs) {
    ReplicatedFabric dead = enter();
    Thread dying = Thread.currentThread();
    AtomicBoolean isArmed = new AtomicBoolean();
    AtomicBoolean isDying = new AtomicBoolean();
    int[] done = new int[NODES];
    nodes.setLoses(
        node -> {
          boolean isLost =
              isArmed.get() && Thread.currentThread() == dying && done[node]++ >= verbs[node];
          isDying.compareAndSet(false, isLost);
          return isLost;
        });
    nodes.setBeforePost(
        () -> {
          if (isArmed.get() && isDying.get() && Thread.currentThread() == dying) {
            throw new OutOfMemoryError("this compute node dies");
          }
        });
    try (Channel channel = dead.openChannel(64)) {
      isArmed.set(true);
      try {
        addUnderLatch(channel, 7);
        add(channel, word(0, COUNTER));
      } catch (OutOfMemoryError | AssertionError e) {
        assertTrue(isDying.get(), e::toString);
      }
      isArmed.set(false);
    }
    assertEnded(survivor, dead);
    return isDying.get();
  }

  /**
   * The exclusive owner discards the intents of the former members, because it reuses their memory.
   */
  @Test
  void shouldNotReuseIntentsAfterExclusiveOpen() {
    long former = share().tenant();
    assertEntryIs(0, former);
    ReplicatedFabric alone = open();
    assertEntryIs(0, 0);
    alone.share(true);
    assertTrue(former != alone.tenant());
    assertEntryIs(0, alone.tenant());
    assertEntryIs(1, 0);
    try (Channel channel = alone.openChannel(64)) {
      addUnderLatch(channel, 1);
      long bump = get(channel, PoolAddress.of(0, SuperblockLayout.BUMP_OFFSET));
      assertEquals(BUMP + 2 * (32 << 10), bump, "its records are in memory of its own");
    }
    assertUsedIsEqual();
  }

  /** Asserts that an entry has this tenant at all memory nodes, and a block unless it is 0. */
  private void assertEntryIs(int index, long tenant) {
    for (int node = 0; node < NODES; node++) {
      try (Channel channel = nodes.inspect(node)) {
        assertEquals(tenant, get(channel, entry(index)), "node=" + node);
        long block = get(channel, entry(index) + Long.BYTES);
        assertEquals(tenant != 0, block != 0, "node=" + node + " block=" + block);
      }
    }
  }

  /**
   * The first memory node has just become live. A member of the pool writes its entry there, and
   * then marks that it has repeated its flushes.
   */
  @Test
  void shouldTakeNoIntentEntryBeforeMembersHaveTheirs() throws Exception {
    ReplicatedFabric first = share();
    try (Channel channel = nodes.inspect(0)) {
      long tenant = get(channel, entry(0));
      long block = get(channel, entry(0) + Long.BYTES);
      long repeated = get(channel, block + IntentLayout.REPEATED_OFFSET);
      put(channel, block + IntentLayout.REPEATED_OFFSET, 0);
      put(channel, entry(0), 0);
      put(channel, entry(0) + Long.BYTES, 0);
      AtomicReference<ReplicatedFabric> second = new AtomicReference<>();
      Thread entering = Thread.ofPlatform().unstarted(() -> second.set(enter()));
      AtomicInteger verbs = new AtomicInteger();
      nodes.setBeforeVerb(_ -> verbs.addAndGet(Thread.currentThread() == entering ? 1 : 0));
      entering.start();
      awaitLooks(entering, verbs);
      assertEquals(0, get(channel, entry(0)), "its entry may be that of another one elsewhere");

      put(channel, entry(0) + Long.BYTES, block);
      put(channel, entry(0), tenant);
      awaitLooks(entering, verbs);
      assertEquals(0, get(channel, entry(1)), "others may have their entries to write yet");

      put(channel, block + IntentLayout.REPEATED_OFFSET, repeated);
      entering.join();
      for (int node = 0; node < NODES; node++) {
        try (Channel other = nodes.inspect(node)) {
          assertEquals(first.tenant(), get(other, entry(0)), "node=" + node);
          assertEquals(second.get().tenant(), get(other, entry(1)), "node=" + node);
        }
      }
      second.get().close();
    }
  }

  /** Returns the offset of an entry of the intent table in a memory node. */
  private static long entry(int number) {
    return NodeHeaderLayout.INTENTS_OFFSET + (long) number * NodeHeaderLayout.INTENT_ENTRY_LENGTH;
  }

  /**
   * Waits until the entering thread has executed so many verbs that it would have entered, if it
   * did not wait.
   */
  private static void awaitLooks(Thread entering, AtomicInteger verbs) {
    int before = verbs.get();
    while (entering.isAlive() && verbs.get() - before < LOOKS) {
      Thread.onSpinWait();
    }
  }

  /** The node stays excluded while the pool is shared: no thread fills it. */
  @Test
  void shouldShareRemainingCopies() {
    ReplicatedFabric first = alone();
    nodes.holdConnects(true);
    nodes.kill(1);
    await(first, ALL & ~(1L << 1));
    first.share(true);
    nodes.holdConnects(false);
    ReplicatedFabric second = enter();
    assertEquals(0b101, second.liveNodes());
    try (Channel ofFirst = first.openChannel(64);
        Channel ofSecond = second.openChannel(64)) {
      addUnderLatch(ofFirst, 1);
      addUnderLatch(ofSecond, 2);
      assertEquals(2, get(ofFirst, word(0, LEFT)));
      nodes.kill(2);
      assertThrows(FabricException.class, () -> addUnderLatch(ofFirst, 1));
    }
    second.close();
  }

  private long copied(int copy, int index) {
    Placement placement = Placement.of(NODES, NODES, 1, NODE_BYTES);
    try (Channel channel = nodes.inspect(placement.node(0, copy))) {
      long at = placement.offset(0, copy, PoolAddress.offset(word(0, index)));
      return get(channel, PoolAddress.of(0, at));
    }
  }

  /** A value read at the primary is final: no failure reverts it. */
  @Test
  void shouldWritePrimaryAfterAllBackups() {
    ReplicatedFabric first = share();
    Thread writer = Thread.currentThread();
    List<String> early = new ArrayList<>();
    AtomicInteger looks = new AtomicInteger();
    AtomicBoolean isWriting = new AtomicBoolean();
    nodes.setBeforeCall(
        () -> {
          if (Thread.currentThread() == writer && isWriting.compareAndSet(true, false)) {
            looks.incrementAndGet();
            for (int index : new int[] {LEFT, RIGHT, LATCH}) {
              long primary = copied(0, index); // backups never have an older value
              if (copied(1, index) < primary || copied(2, index) < primary) {
                early.add("index=" + index + " value=" + primary);
              }
            }
            isWriting.set(true);
          }
        });
    try (Channel channel = first.openChannel(64)) {
      for (long value = 1; value < 20; value++) {
        channel.writeLong(word(0, LEFT), value);
        channel.writeLong(word(0, RIGHT), value);
        channel.writeRelease(word(0, LATCH), value - 1, value);
        isWriting.set(true);
        channel.flush();
        isWriting.set(false);
      }
    }
    nodes.setBeforeCall(() -> {});
    assertTrue(looks.get() > 0);
    assertEquals(List.of(), early);
  }

  /** A value that another compute node has read at the primary outlives the primary. */
  @Test
  void shouldRaiseAWordAtTheBackupsBeforeThePrimary() {
    Placement placement = Placement.of(NODES, NODES, 1, NODE_BYTES);
    List<Long> atBackups = new ArrayList<>();
    Thread raising = Thread.currentThread();
    try (Channel channel = share().openChannel(64)) {
      channel.writeLong(word(0, LEFT), 2);
      nodes.setBeforeVerb(
          node -> {
            if (Thread.currentThread() == raising && node == placement.node(0, 0)) {
              for (int copy = 1; copy < NODES; copy++) {
                atBackups.add(copyOf(placement, copy));
              }
            }
          });
      channel.flushRaised();
      nodes.setBeforeVerb(node -> {});
    }
    assertEquals(List.of(2L, 2L), atBackups);
  }

  private long copyOf(Placement placement, int copy) {
    try (Channel channel = nodes.inspect(placement.node(0, copy))) {
      long at = placement.offset(0, copy, PoolAddress.offset(word(0, LEFT)));
      return get(channel, PoolAddress.of(0, at));
    }
  }
}
