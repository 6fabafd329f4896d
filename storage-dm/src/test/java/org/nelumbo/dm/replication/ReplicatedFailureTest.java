package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.membership.WantedPool;

/** Tests memory nodes that fail and come back during the work. */
@Timeout(180)
class ReplicatedFailureTest extends ThreeReplicas {
  /** The primary fails before the CAS, before the FAA, or before its reply. */
  @Test
  void shouldExecuteAtomicsOnceWhenPrimaryFails() {
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
  void shouldContinueWithRemainingNodes() {
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
      assertTrue(e.getMessage().contains("no copy of the data"), e.getMessage());
    }
  }

  @Test
  void shouldFillNodeThatRestartsEmpty() {
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
   * Counters are incremented by FAA and by CAS while nodes fail at any point, come back and fail
   * again. No increment is lost or done twice, and the copies are equal in the end.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldCountExactlyWhileNodesFailAndRestart(int virtualNodes) throws Exception {
    ReplicatedFabric fabric = open(OPTIONS.withWanted(WantedPool.of(0, virtualNodes)));
    assertEquals(NODES * virtualNodes, fabric.nodeCount());
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
                      added[me] = addUntil(channel, fabric.nodeCount(), counters, stop, me);
                    } catch (RuntimeException | Error e) {
                      synchronizedAdd(failures, e);
                    }
                  });
    }
    long seed = Long.getLong("nelumbo.seed", 20_261_127);
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
        sum += get(channel, word(i % fabric.nodeCount(), i));
      }
    }
    assertEquals(added[0] + added[1] + added[2], sum, "seed=" + seed);
    assertCopiesAreEqual(virtualNodes);
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

  private static long addUntil(
      Channel channel, int logicals, int counters, boolean[] stop, int seed) {
    Random random = new Random(seed);
    long count = 0;
    while (!isStopped(stop)) {
      int i = random.nextInt(counters);
      long address = word(i % logicals, i);
      if (random.nextBoolean()) {
        add(channel, address);
        count++;
      } else {
        long value = get(channel, address);
        channel.compareAndSwap(address, value, value + 1, 8);
        // This write follows the CAS, and like it must be on all copies.
        channel.writeLong(address + 8 * (1 + seed), count);
        channel.flush();
        count += channel.staging().get(ValueLayout.JAVA_LONG, 8) == value ? 1 : 0;
      }
    }
    return count;
  }
}
