package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.membership.WantedPool;

/**
 * Tests that a node that was excluded for a short time, and kept its memory, receives only the
 * changes of that time.
 */
@Timeout(180)
class CatchUpTest extends ThreeReplicas {
  private static final int WINDOW = 4 << 10;
  private static final long SLOT_BYTES = 256 << 10;
  private static final int WORDS = 3000;

  /** Number of bytes that a node receives in any case: the first window of each slot. */
  private static final long LEAST = 3L * WINDOW;

  private ReplicatedFabric fabric;

  @BeforeEach
  void openAndWrite() {
    fabric = open(OPTIONS.withWindowBytes(WINDOW).withWanted(WantedPool.of(0, 1)));
    try (Channel channel = fabric.openChannel(1024)) {
      for (int i = 0; i < WORDS; i++) {
        put(channel, word(i % NODES, i), i);
      }
    }
  }

  private long filledBytes() {
    return fabric.replicationStatus().filledBytes();
  }

  private long filledNodes() {
    return fabric.replicationStatus().filledNodes();
  }

  private void awaitFill(int times) {
    while (filledNodes() < times) {
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void shouldCopyOnlyWritesMissedDuringOutage() {
    try (Channel channel = fabric.openChannel(1024)) {
      nodes.holdConnects(true);
      nodes.cut(1);
      put(channel, word(0, 10), 77);
      put(channel, word(1, 20), 78);
      put(channel, word(1, 2000), 79);
      add(channel, word(2, 1001));
      nodes.holdConnects(false);
      awaitFill(1);
      assertTrue(filledBytes() <= LEAST + 4L * WINDOW, "filledBytes=" + filledBytes());
      assertTrue(filledBytes() > LEAST, "filledBytes=" + filledBytes());
      nodes.kill(0);
      nodes.kill(2);
      assertEquals(77, get(channel, word(0, 10)));
      assertEquals(78, get(channel, word(1, 20)));
      assertEquals(79, get(channel, word(1, 2000)));
      assertEquals(1002, get(channel, word(2, 1001)));
    }
  }

  private long equalBytes() {
    return fabric.replicationStatus().nodes().get(1).equalBytes();
  }

  @Test
  void shouldCompareAllWindowsAfterTakeoverOfNode() {
    nodes.takeOver(1);
    awaitFill(1);
    assertEquals(LEAST, filledBytes());
    assertEquals(3 * SLOT_BYTES - LEAST, equalBytes());
  }

  /** The node has its memory, but it is unknown which part of it is unchanged. */
  @Test
  void shouldCopyDifferingWindowsAfterRestart() {
    nodes.kill(1);
    await(fabric, 0b101);
    try (Channel channel = fabric.openChannel(1024);
        Channel there = nodes.inspect(1)) {
      put(channel, word(0, 1000), 77);
      put(channel, word(1, 1000), 78);
      put(channel, word(1, 2000), 79);
      put(there, PoolAddress.of(0, NODE_BYTES - 2 * WINDOW), 80);
      nodes.restart(1);
      awaitFill(1);
      assertEquals(LEAST + 4L * WINDOW, filledBytes());
      assertEquals(3 * SLOT_BYTES - filledBytes(), equalBytes());
      nodes.cut(1);
      awaitFill(2);
      assertTrue(filledBytes() <= 2 * LEAST + 5L * WINDOW, "filledBytes=" + filledBytes());
      assertEquals(0, equalBytes());
    }
    fabric.close();
    assertCopiesAreEqual();
  }

  @Test
  void shouldCopyThePiecesOfWindowsThatDiffer() {
    restartOpened();
    int window = 64 << 10;
    fabric = open(OPTIONS.withWindowBytes(window).withWanted(WantedPool.of(0, 1)));
    nodes.kill(1);
    await(fabric, 0b101);
    try (Channel channel = fabric.openChannel(1024)) {
      put(channel, word(0, 2000), 77);
      put(channel, word(0, 2001), 78);
      put(channel, word(0, 2100), 79);
      put(channel, word(2, 3000), 80);
    }
    nodes.restart(1);
    awaitFill(1);
    assertEquals(3L * window + 3 * (4 << 10), filledBytes());
    assertEquals(3 * SLOT_BYTES - filledBytes(), equalBytes());
    fabric.close();
    assertCopiesAreEqual();
  }

  /** No window is equal, so the comparison of windows is given up soon. */
  @Test
  void shouldCopyEverythingToEmptyNode() {
    nodes.kill(1);
    await(fabric, 0b101);
    try (Channel channel = fabric.openChannel(1024)) {
      for (int logical = 0; logical < NODES; logical++) {
        for (int i = 0; BASE + 64L * i < SLOT_BYTES; i += 8) {
          put(channel, word(logical, i), 1 + i);
        }
      }
    }
    nodes.restartEmpty(1);
    awaitFill(1);
    assertTrue(filledBytes() >= 3 * (SLOT_BYTES - BASE), "filledBytes=" + filledBytes());
    fabric.close();
    assertCopiesAreEqual();
  }

  /**
   * Counters are incremented while connections break, at any point of the operations and of the
   * filling itself, and while nodes stop. No increment is lost, and the copies are equal in the
   * end.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void shouldBeEqualAfterAnyBlips(int seed) throws Exception {
    Random random = new Random(seed);
    AtomicLong filledBeforeCut = new AtomicLong();
    nodes.setBeforeCut(() -> filledBeforeCut.set(filledNodes()));
    int threads = 2;
    AtomicLong added = new AtomicLong();
    AtomicBoolean stopped = new AtomicBoolean();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> workers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Random own = new Random(seed + t);
      workers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Channel channel = fabric.openChannel(1024)) {
                      while (!stopped.get()) {
                        add(channel, counter(own.nextInt(500)));
                        added.incrementAndGet();
                      }
                    } catch (RuntimeException | Error e) {
                      failures.add(e);
                    }
                  }));
    }
    for (int round = 0; round < 40 && failures.isEmpty(); round++) {
      int node = random.nextInt(NODES);
      if (random.nextInt(4) == 0) {
        nodes.killAfter(node, random.nextInt(100));
        await(fabric, ALL & ~(1 << node));
        nodes.restartEmpty(node);
      } else {
        nodes.cutAfter(node, random.nextInt(100));
        if (random.nextBoolean()) {
          awaitUncut(node);
          nodes.cutAfter(node, random.nextInt(60));
        }
        awaitUncut(node);
        while (filledNodes() <= filledBeforeCut.get()) {
          assertFalse(fabric.replicationStatus().lost(), "the pool is lost, seed=" + seed);
          LockSupport.parkNanos(100_000);
        }
      }
      await(fabric, ALL);
    }
    stopped.set(true);
    for (Thread worker : workers) {
      worker.join();
    }
    assertEquals(List.of(), List.copyOf(failures), "seed=" + seed);
    await(fabric, ALL);
    long sum = 0;
    try (Channel channel = fabric.openChannel(1024)) {
      for (int i = 0; i < 500; i++) {
        sum += get(channel, counter(i));
      }
    }
    assertEquals(added.get(), sum, "seed=" + seed);
    fabric.close();
    assertCopiesAreEqual();
  }

  private void awaitUncut(int node) {
    while (nodes.isCutPending(node)) {
      LockSupport.parkNanos(100_000);
    }
  }

  private static long counter(int i) {
    return word(i % NODES, i * 7) + 32;
  }
}
