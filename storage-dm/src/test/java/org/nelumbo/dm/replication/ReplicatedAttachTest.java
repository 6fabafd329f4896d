package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.membership.WantedPool;

/** Tests with which memory nodes an attach continues, and how it makes their copies equal. */
@Timeout(180)
class ReplicatedAttachTest extends ThreeReplicas {
  @Test
  void shouldAttachToMajorityAndFillRemainingNode() {
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
  void shouldRefuseAttachWithoutLatestState() {
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
  void shouldMakeCopiesEqualAfterInterruptedFlush() {
    Random random = new Random(5);
    int unequal = 0;
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
      unequal += areCopiesEqual() ? 0 : 1;
      ReplicatedFabric next = open();
      await(next, ALL);
      next.close();
      assertCopiesAreEqual();
    }
    assertTrue(unequal > 0, "no flush was interrupted");
  }

  private boolean areCopiesEqual() {
    try {
      assertCopiesAreEqual();
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }

  @Test
  void shouldKeepVirtualNodesOfExistingPool() {
    ReplicatedFabric first = open(OPTIONS.withWanted(WantedPool.of(0, 2)));
    try (Channel channel = first.openChannel(64)) {
      put(channel, word(5, 0), 42);
    }
    first.close();
    nodes.kill(2);
    ReplicatedFabric second = open(OPTIONS);
    assertEquals(2 * NODES, second.nodeCount());
    try (Channel channel = second.openChannel(64)) {
      assertEquals(42, get(channel, word(5, 0)));
      nodes.restartEmpty(2);
      await(second, ALL);
    }
    second.close();
    assertCopiesAreEqual(2);
  }

  /** In pools of format 1 the word of virtual nodes is zero, and no acceptor has a decision. */
  @Test
  void shouldOpenAPoolFromBeforeNodesAgreedByForceOnce() {
    ReplicatedFabric first = open();
    try (Channel channel = first.openChannel(64)) {
      put(channel, word(2, 0), 9);
    }
    first.close();
    nodes.forgetVotes();
    for (int node = 0; node < NODES; node++) {
      setHeader(
          node, NodeHeaderLayout.FORMAT_OFFSET, header(node, NodeHeaderLayout.FORMAT_OFFSET) - 2);
      setHeader(node, NodeHeaderLayout.VIRTUAL_NODES_OFFSET, 0);
    }
    PoolOpenException e = assertThrows(PoolOpenException.class, this::open);
    assertTrue(e.getMessage().contains("open it once with recover=force"), e.getMessage());
    nodes.kill(1);
    try (ReplicatedFabric forced =
            open(OPTIONS.withWanted(new WantedPool(0, 2, true, PoolExpectation.ANY)));
        Channel channel = forced.openChannel(64)) {
      assertEquals(NODES, forced.nodeCount());
      assertEquals(9, get(channel, word(2, 0)));
    }
    nodes.restart(1);
    try (ReplicatedFabric last = open();
        Channel channel = last.openChannel(64)) {
      assertEquals(9, get(channel, word(2, 0)));
      await(last, ALL);
    }
    for (int node = 0; node < NODES; node++) {
      assertEquals(3, (int) header(node, NodeHeaderLayout.FORMAT_OFFSET));
    }
  }

  @Test
  void shouldReportUnknownPoolFormat() {
    open(OPTIONS.withWanted(WantedPool.of(0, 2))).close();
    assertEquals(3, (int) header(1, NodeHeaderLayout.FORMAT_OFFSET));
    setHeader(1, NodeHeaderLayout.FORMAT_OFFSET, header(1, NodeHeaderLayout.FORMAT_OFFSET) + 1);
    PoolOpenException e = assertThrows(PoolOpenException.class, this::open);
    assertTrue(e.getMessage().contains("has pool format 4"), e.getMessage());
    assertTrue(e.getMessage().contains("reads formats 1 to 3"), e.getMessage());
  }

  private long header(int node, int offset) {
    try (Channel channel = nodes.inspect(node)) {
      return get(channel, PoolAddress.of(0, offset));
    }
  }

  private void setHeader(int node, int offset, long value) {
    try (Channel channel = nodes.inspect(node)) {
      put(channel, PoolAddress.of(0, offset), value);
    }
  }

  @Test
  void shouldRejectDifferentNumberOfCopies() {
    open(OPTIONS.withWanted(WantedPool.of(2, 0))).close();
    PoolOpenException e =
        assertThrows(PoolOpenException.class, () -> open(OPTIONS.withWanted(WantedPool.of(3, 0))));
    assertTrue(e.getMessage().contains("has 2 copies of all data"), e.getMessage());
    assertEquals(2, open(OPTIONS).copies());
  }
}
