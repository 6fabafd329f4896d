package org.nelumbo.dm.fabric.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;
import org.nelumbo.dm.fabric.FabricException;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.fabric.PoolOpenException;

@Timeout(180)
class ReplicatedFabricTest {
  private static final int NODES = 3;
  private static final long NODE_BYTES = 4096 + 3 * (256 << 10);
  private static final long ALL = 0b111;
  private static final long BASE = 8192;

  /** Verbs after which the first window of a node has been filled, and the last one has not. */
  private static final int HALF_FILLED_VERBS = 24;

  private static final ReplicatedFabric.Options OPTIONS =
      ReplicatedFabric.Options.DEFAULT.withReconnectNanos(1_000_000).withWindowBytes(16 << 10);

  private final SystemEnvironment environment = new SystemEnvironment();
  private final FragileNodes nodes = new FragileNodes(NODES, NODE_BYTES);
  private final List<Fabric> opened = new ArrayList<>();

  private ReplicatedFabric open() {
    return open(OPTIONS);
  }

  private ReplicatedFabric open(ReplicatedFabric.Options options) {
    ReplicatedFabric fabric = ReplicatedFabric.open(environment, nodes.connectors(), options);
    opened.add(fabric);
    return fabric;
  }

  @AfterEach
  void close() {
    opened.forEach(Fabric::close);
    nodes.close();
  }

  private static void await(ReplicatedFabric fabric, long live) {
    while (fabric.liveNodes() != live) {
      Thread.onSpinWait();
    }
  }

  private static long word(int node, int index) {
    return PoolAddress.of(node, BASE + 64L * index);
  }

  private static void put(Channel channel, long address, long value) {
    channel.writeLong(address, value);
    channel.flush();
  }

  private static long get(Channel channel, long address) {
    channel.read(address, 0, 8);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  private static long add(Channel channel, long address) {
    channel.fetchAndAdd(address, 1, 0);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  /** Every copy of every logical node has the same bytes. */
  private void assertCopiesAreEqual() {
    Placement placement = Placement.of(NODES, NODES, NODE_BYTES);
    for (int logical = 0; logical < NODES; logical++) {
      byte[] first = copy(placement, logical, 0);
      for (int copy = 1; copy < NODES; copy++) {
        int differs =
            (int)
                MemorySegment.ofArray(first)
                    .mismatch(MemorySegment.ofArray(copy(placement, logical, copy)));
        assertEquals(-1, differs, "logical=" + logical + " copy=" + copy);
      }
    }
  }

  private byte[] copy(Placement placement, int logical, int copy) {
    byte[] bytes = new byte[(int) placement.slotBytes()];
    try (Channel channel = nodes.inspect(placement.node(logical, copy))) {
      for (int at = 0; at < bytes.length; at += 4096) {
        channel.read(PoolAddress.of(0, placement.offset(copy, at)), 0, 4096);
        channel.flush();
        MemorySegment.copy(channel.staging(), ValueLayout.JAVA_BYTE, 0, bytes, at, 4096);
      }
    }
    return bytes;
  }

  @Test
  void shouldAskEachCopyOnceWhateverIsInTheFlush() {
    try (Fabric fabric = open();
        Channel channel = fabric.openChannel(64)) {
      put(channel, word(0, 0), 1);
      long[] before = verbs();
      channel.writeLong(word(0, 1), 1);
      channel.compareAndSwap(word(0, 0), 1, 2, 0);
      channel.fetchAndAdd(word(0, 1), 5, 8);
      channel.writeLong(word(0, 2), 1);
      channel.flush();
      long[] after = verbs();
      for (int node = 0; node < NODES; node++) {
        assertEquals(4 + 1, after[node] - before[node], "verbs and flushes at node " + node);
      }
      assertEquals(1, channel.staging().get(ValueLayout.JAVA_LONG, 0));
      assertEquals(1, channel.staging().get(ValueLayout.JAVA_LONG, 8));
    }
    assertCopiesAreEqual();
  }

  /** Before it does the CAS, before the FAA, or before it answers. */
  @Test
  void shouldDoAtomicsOnceThoughThePrimaryDiesOverThem() {
    for (int verbs = 0; verbs < 3; verbs++) {
      try (ReplicatedFabric fabric = open();
          Channel channel = fabric.openChannel(64)) {
        put(channel, word(0, 0), 7);
        put(channel, word(0, 1), 70);
        nodes.killAfter(0, verbs);
        channel.compareAndSwap(word(0, 0), 7, 8, 0);
        channel.fetchAndAdd(word(0, 1), 5, 8);
        channel.read(word(0, 1), 16, 8);
        channel.flush();
        assertEquals(7, channel.staging().get(ValueLayout.JAVA_LONG, 0));
        assertEquals(70, channel.staging().get(ValueLayout.JAVA_LONG, 8));
        assertEquals(75, channel.staging().get(ValueLayout.JAVA_LONG, 16));
        assertEquals(8, get(channel, word(0, 0)));
        assertEquals(75, get(channel, word(0, 1)));
        nodes.restartEmpty(0);
        await(fabric, ALL);
      }
      assertCopiesAreEqual();
    }
  }

  @Test
  void shouldWriteToAllCopiesAndSpreadPrimaries() {
    try (Fabric fabric = open();
        Channel channel = fabric.openChannel(1024)) {
      assertEquals(256 << 10, fabric.nodeBytes(0));
      for (int node = 0; node < NODES; node++) {
        put(channel, word(node, 1), 10 + node);
        add(channel, word(node, 1));
        channel.compareAndSwap(word(node, 1), 11 + node, 100 + node, 0);
        channel.writeLong(word(node, 2), 7);
        channel.flush();
      }
    }
    assertCopiesAreEqual();
  }

  @Test
  void shouldReadAllLogicalNodesFromOneMemoryNode() {
    int flushes = 1000;
    try (Fabric fabric = open()) {
      for (int opening = 0; opening < NODES; opening++) {
        try (Channel channel = fabric.openChannel(1024)) {
          long[] before = verbs();
          for (int i = 0; i < flushes; i++) {
            for (int node = 0; node < NODES; node++) {
              channel.read(word(node, i), 8 * node, 8);
            }
            channel.flush();
          }
          long[] after = verbs();
          int home = 0;
          for (int node = 0; node < NODES; node++) {
            home += after[node] - before[node] > flushes ? 1 : 0;
          }
          assertEquals(1, home, "nodes that were read");
        }
      }
    }
  }

  private long[] verbs() {
    long[] verbs = new long[NODES];
    for (int node = 0; node < NODES; node++) {
      verbs[node] = nodes.verbs(node);
    }
    return verbs;
  }

  /** Each reader reads another memory node's copy. What one has seen the next one sees. */
  @Test
  void shouldNeverReadWhatIsOlderThanWhatSomebodyHasRead() throws Exception {
    ReplicatedFabric fabric = open();
    AtomicLong seen = new AtomicLong();
    AtomicBoolean stop = new AtomicBoolean();
    List<Thread> readers = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int reader = 0; reader < NODES; reader++) {
      readers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Channel channel = fabric.openChannel(64)) {
                      while (!stop.get()) {
                        long least = seen.get();
                        long value = get(channel, word(0, 0));
                        assertTrue(value >= least, () -> value + " after " + least);
                        seen.accumulateAndGet(value, Math::max);
                      }
                    } catch (RuntimeException | Error e) {
                      synchronizedAdd(failures, e);
                    }
                  }));
    }
    try (Channel channel = fabric.openChannel(64)) {
      for (long value = 1; value <= 100_000; value++) {
        put(channel, word(0, 0), value);
      }
    }
    stop.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertEquals(List.of(), failures);
    assertTrue(seen.get() > 0);
  }

  /**
   * A flush is in the middle: the primary has done its CAS, the other copies have not. Who begins
   * to read now sees the CAS, whatever copy it reads from otherwise: what came behind the CAS may
   * have missed what the reader did before.
   */
  @Test
  void shouldReadWhatThePrimaryHasDoneThoughOtherCopiesHaveNot() throws Exception {
    ReplicatedFabric fabric = open();
    for (int home = 0; home < NODES; home++) {
      CountDownLatch primaryHasIt = new CountDownLatch(1);
      CountDownLatch hasRead = new CountDownLatch(1);
      Thread writer =
          Thread.ofPlatform()
              .name("writer")
              .unstarted(
                  () -> {
                    try (Channel channel = fabric.openChannel(64)) {
                      add(channel, word(0, 0));
                    }
                  });
      nodes.setBeforeVerb(
          node -> {
            if (Thread.currentThread() == writer && node != 0) {
              primaryHasIt.countDown();
              awaitLatch(hasRead);
            }
          });
      long[] seen = {-1};
      Thread reader =
          Thread.ofPlatform()
              .unstarted(
                  () -> {
                    try (Channel channel = fabric.openChannel(64)) {
                      seen[0] = get(channel, word(0, 0));
                    }
                  });
      writer.start();
      primaryHasIt.await();
      long before = Arrays.stream(verbs()).sum();
      reader.start();
      while (Arrays.stream(verbs()).sum() < before + 2) {
        Thread.onSpinWait();
      }
      hasRead.countDown();
      reader.join();
      writer.join();
      assertEquals(home + 1, seen[0]);
    }
  }

  /**
   * A flush has changed one word at the primary, and read another one there; the other copies have
   * nothing yet. Then the primary dies. Somebody else changes the other word and after that reads
   * the first: one of the two has to see what the other did.
   */
  @Test
  void shouldNotMissEachOtherWhenThePrimaryDiesBetween() throws Exception {
    ReplicatedFabric fabric = open();
    long mine = word(0, 0);
    long yours = word(0, 1);
    CountDownLatch primaryHasIt = new CountDownLatch(1);
    CountDownLatch hasRead = new CountDownLatch(1);
    long[] seen = {-1, -1};
    Thread one =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  try (Channel channel = fabric.openChannel(64)) {
                    channel.fetchAndAdd(mine, 1, 0);
                    channel.read(yours, 8, 8);
                    channel.flush();
                    seen[0] = channel.staging().get(ValueLayout.JAVA_LONG, 8);
                  }
                });
    nodes.setBeforeVerb(
        node -> {
          if (Thread.currentThread() == one && node != 0 && hasRead.getCount() > 0) {
            primaryHasIt.countDown();
            awaitLatch(hasRead);
          }
        });
    one.start();
    primaryHasIt.await();
    nodes.kill(0);
    try (Channel channel = fabric.openChannel(64)) {
      add(channel, yours);
    }
    long before = nodes.verbs(1) + nodes.verbs(2);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (Channel channel = fabric.openChannel(64)) {
                    seen[1] = get(channel, mine);
                  }
                });
    while (nodes.verbs(1) + nodes.verbs(2) < before + 2) {
      Thread.onSpinWait();
    }
    hasRead.countDown();
    one.join();
    other.join();
    assertTrue(seen[0] == 1 || seen[1] == 1, () -> "they missed each other");
  }

  /**
   * While a flush is on its way, a node that is being filled becomes live, and then the only other
   * one dies: what the FAA has returned is known from the node that was being filled.
   */
  @Test
  void shouldKnowFromACopyInTheMakingWhatAnAtomicHasReturned() throws Exception {
    ReplicatedFabric fabric = open();
    try (Channel channel = fabric.openChannel(64)) {
      add(channel, word(0, 0));
      nodes.kill(0);
      nodes.kill(2);
      add(channel, word(0, 0));
    }
    CountDownLatch isHalfFilled = new CountDownLatch(1);
    CountDownLatch goOnFilling = new CountDownLatch(1);
    CountDownLatch isOnItsWay = new CountDownLatch(1);
    CountDownLatch otherIsDead = new CountDownLatch(1);
    long[] old = {-1};
    Thread adder =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  try (Channel channel = fabric.openChannel(64)) {
                    old[0] = add(channel, word(0, 0));
                  }
                });
    int[] stewardsVerbs = {0};
    nodes.setBeforeVerb(
        node -> {
          if (Thread.currentThread() == adder && node == 1 && otherIsDead.getCount() > 0) {
            isOnItsWay.countDown();
            awaitLatch(otherIsDead);
          } else if (Thread.currentThread().getName().contains("steward") && node == 0) {
            if (++stewardsVerbs[0] == HALF_FILLED_VERBS) {
              isHalfFilled.countDown();
              awaitLatch(goOnFilling);
            }
          }
        });
    nodes.restartEmpty(0);
    isHalfFilled.await();
    adder.start();
    isOnItsWay.await();
    assertEquals(0b010, fabric.liveNodes());
    goOnFilling.countDown();
    await(fabric, 0b011);
    nodes.kill(1);
    otherIsDead.countDown();
    adder.join();
    assertEquals(2, old[0]);
    try (Channel channel = fabric.openChannel(64)) {
      assertEquals(3, get(channel, word(0, 0)));
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldGoOnWithWhatSurvives() {
    ReplicatedFabric fabric = open();
    try (Channel channel = fabric.openChannel(1024)) {
      for (int node = 0; node < NODES; node++) {
        put(channel, word(node, 0), 5 + node);
      }
      long before = fabric.view();
      nodes.kill(0);
      for (int node = 0; node < NODES; node++) {
        assertEquals(5 + node, add(channel, word(node, 0)));
        assertEquals(6 + node, get(channel, word(node, 0)));
      }
      assertEquals(before + 1, fabric.view());
      nodes.kill(2);
      for (int node = 0; node < NODES; node++) {
        assertEquals(6 + node, add(channel, word(node, 0)));
        assertEquals(7 + node, get(channel, word(node, 0)));
      }
      assertEquals(0b010, fabric.liveNodes());
      nodes.kill(1);
      FabricException e = assertThrows(FabricException.class, () -> get(channel, word(0, 0)));
      assertTrue(e.getMessage().contains("no copy is left"), e.getMessage());
    }
  }

  @Test
  void shouldFillANodeThatComesBackEmpty() {
    ReplicatedFabric fabric = open();
    try (Channel channel = fabric.openChannel(1024)) {
      for (int i = 0; i < 3000; i++) {
        put(channel, word(i % NODES, i), i);
      }
      nodes.kill(1);
      put(channel, word(1, 1), 77);
      nodes.restartEmpty(1);
      await(fabric, ALL);
      nodes.kill(0);
      nodes.kill(2);
      for (int i = 0; i < 3000; i++) {
        assertEquals(i == 1 ? 77 : i, get(channel, word(i % NODES, i)));
      }
    }
  }

  /**
   * Counters are added to by FAA and by CAS while nodes die in the middle of whatever they do, come
   * back and die again: no addition is lost or done twice, and in the end the copies are equal.
   */
  @Test
  void shouldCountRightWhileNodesDieAndComeBack() throws Exception {
    ReplicatedFabric fabric = open();
    int threads = 3;
    int counters = 600;
    long[] added = new long[threads];
    Thread[] workers = new Thread[threads];
    boolean[] stop = new boolean[1];
    List<Throwable> failures = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int me = t;
      workers[t] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Channel channel = fabric.openChannel(1024)) {
                      added[me] = addUntil(channel, counters, stop, me);
                    } catch (RuntimeException | Error e) {
                      synchronizedAdd(failures, e);
                    }
                  });
    }
    long seed = ThreadLocalRandom.current().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 30; round++) {
      int node = random.nextInt(NODES);
      nodes.killAfter(node, random.nextInt(400));
      await(fabric, ALL & ~(1 << node));
      nodes.restartEmpty(node);
      if (round % 3 == 2) {
        nodes.killAfter(node, random.nextInt(60));
        Thread.yield();
        nodes.kill(node);
        nodes.restartEmpty(node);
      }
      await(fabric, ALL);
    }
    synchronizedStop(stop);
    for (Thread worker : workers) {
      worker.join();
    }
    assertEquals(List.of(), failures, "seed=" + seed);
    long sum = 0;
    try (Channel channel = fabric.openChannel(1024)) {
      for (int i = 0; i < counters; i++) {
        sum += get(channel, word(i % NODES, i));
      }
    }
    assertEquals(added[0] + added[1] + added[2], sum, "seed=" + seed);
    assertCopiesAreEqual();
  }

  private static synchronized void synchronizedAdd(List<Throwable> failures, Throwable failure) {
    failures.add(failure);
  }

  private static synchronized void synchronizedStop(boolean[] stop) {
    stop[0] = true;
  }

  private static synchronized boolean isStopped(boolean[] stop) {
    return stop[0];
  }

  private static long addUntil(Channel channel, int counters, boolean[] stop, int seed) {
    Random random = new Random(seed);
    long count = 0;
    while (!isStopped(stop)) {
      int i = random.nextInt(counters);
      long address = word(i % NODES, i);
      if (random.nextBoolean()) {
        add(channel, address);
        count++;
      } else {
        long value = get(channel, address);
        channel.compareAndSwap(address, value, value + 1, 8);
        // Behind the CAS, and to be found on all copies like it.
        channel.writeLong(address + 8 * (1 + seed), count);
        channel.flush();
        count += channel.staging().get(ValueLayout.JAVA_LONG, 8) == value ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void shouldAttachToTheMajorityAndFillTheOther() {
    ReplicatedFabric first = open();
    try (Channel channel = first.openChannel(64)) {
      put(channel, word(1, 0), 42);
    }
    first.close();
    nodes.kill(1);
    ReplicatedFabric second = open();
    try (Channel channel = second.openChannel(64)) {
      assertEquals(0b101, second.liveNodes());
      assertEquals(42, get(channel, word(1, 0)));
      nodes.restart(1);
      await(second, ALL);
    }
    second.close();
    assertCopiesAreEqual();
  }

  @Test
  void shouldRefuseAMinority() {
    open().close();
    nodes.kill(1);
    nodes.kill(2);
    PoolOpenException e = assertThrows(PoolOpenException.class, this::open);
    assertTrue(e.getMessage().contains("start those that are missing"), e.getMessage());
  }

  @Test
  void shouldNotTakeOldStateForTheLatest() {
    ReplicatedFabric first = open();
    try (Channel channel = first.openChannel(64)) {
      put(channel, word(0, 0), 1);
      nodes.kill(0);
      nodes.kill(1);
      put(channel, word(0, 0), 2);
      assertEquals(0b100, first.liveNodes());
    }
    first.close();
    nodes.kill(2);
    nodes.restart(0);
    nodes.restart(1);
    assertThrows(PoolOpenException.class, this::open, "node 2 alone knows the latest");
    nodes.restart(2);
    ReplicatedFabric second = open();
    try (Channel channel = second.openChannel(64)) {
      assertEquals(2, get(channel, word(0, 0)));
      await(second, ALL);
    }
  }

  @Test
  void shouldTrustNodesThatWereAllRestartedWithTheirMemory() {
    try (Fabric first = open();
        Channel channel = first.openChannel(64)) {
      put(channel, word(2, 0), 9);
    }
    for (int node = 0; node < NODES; node++) {
      nodes.restart(node);
    }
    ReplicatedFabric second = open();
    try (Channel channel = second.openChannel(64)) {
      assertEquals(ALL, second.liveNodes());
      assertEquals(9, get(channel, word(2, 0)));
    }
  }

  @Test
  void shouldMakeCopiesEqualWhenTheOwnerHasDied() {
    Random random = new Random(5);
    for (int round = 0; round < 20; round++) {
      ReplicatedFabric fabric = open();
      try (Channel channel = fabric.openChannel(1024)) {
        long left = random.nextInt(60);
        for (int node = 0; node < NODES; node++) {
          nodes.killAfter(node, left + random.nextInt(4));
        }
        assertThrows(
            FabricException.class,
            () -> {
              for (int i = 0; i < 1000; i++) {
                channel.writeLong(word(i % NODES, i), i);
                channel.writeLong(word(i % NODES, i + 1), i);
                channel.fetchAndAdd(word((i + 1) % NODES, 5), 1, 0);
                channel.flush();
              }
            });
      }
      fabric.close();
      for (int node = 0; node < NODES; node++) {
        nodes.restart(node);
      }
      ReplicatedFabric next = open();
      await(next, ALL);
      next.close();
      assertCopiesAreEqual();
    }
  }

  @Test
  void shouldSayWhatDoesNotFit() {
    open(OPTIONS.withCopies(2)).close();
    PoolOpenException e = assertThrows(PoolOpenException.class, () -> open(OPTIONS.withCopies(3)));
    assertTrue(e.getMessage().contains("has 2 copies of everything"), e.getMessage());
    assertEquals(2, open(OPTIONS).copies());
  }
}
