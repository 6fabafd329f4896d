package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.membership.NewPlacement;
import org.nelumbo.dm.replication.membership.WantedPool;

/** Tests which of five memory nodes take over the work of a failed one. */
@Timeout(60)
class VirtualNodesTest {
  private static final int NODES = 5;
  private static final int COPIES = 3;
  private static final int FLUSHES = 400;
  private static final int READS = 8;

  private final FragileNodes nodes = new FragileNodes(NODES, 4096 + (12L << 20));

  @AfterEach
  void close() {
    nodes.close();
  }

  private ReplicatedFabric open(int virtualNodes) {
    return nodes.open(
        new SystemEnvironment(),
        ReplicatedFabric.Options.DEFAULT.withWanted(WantedPool.of(COPIES, virtualNodes)));
  }

  /**
   * Returns the verbs of READs next to a write, as in transactions. Primaries execute such READs.
   */
  private long[] verbsOfReads(ReplicatedFabric fabric) {
    long[] before = verbs();
    try (Channel channel = fabric.openChannel(64)) {
      for (int i = 0; i < FLUSHES; i++) {
        int logical = i % fabric.nodeCount();
        channel.writeLong(PoolAddress.of(logical, 8192), i);
        for (int read = 0; read < READS; read++) {
          channel.read(PoolAddress.of(logical, 16384), 0, 8);
        }
        channel.flush();
      }
    }
    long[] after = verbs();
    for (int node = 0; node < NODES; node++) {
      after[node] -= before[node];
    }
    return after;
  }

  private long[] verbs() {
    long[] verbs = new long[NODES];
    for (int node = 0; node < NODES; node++) {
      verbs[node] = nodes.verbs(node);
    }
    return verbs;
  }

  private long mostOfTheLiving(int virtualNodes) {
    try (ReplicatedFabric fabric = open(virtualNodes)) {
      nodes.kill(2);
      verbsOfReads(fabric);
      assertEquals(0b11011, fabric.liveNodes());
      long[] done = verbsOfReads(fabric);
      long most = 0;
      for (int node = 0; node < NODES; node++) {
        most = node == 2 ? most : Math.max(most, done[node]);
      }
      return most;
    }
  }

  @Test
  void shouldDoubleLoadOfOneNodeWithOneVirtualNode() {
    assertTrue(mostOfTheLiving(1) >= 2 * READS * FLUSHES / NODES);
  }

  @Test
  void shouldSpreadLoadOfFailedNodeOverRemainingNodes() {
    long writes = 2L * COPIES * FLUSHES / NODES;
    long most = mostOfTheLiving(4);
    assertTrue(most <= writes + 1.3 * READS * FLUSHES / NODES, "most=" + most);
  }

  @Test
  void shouldSpreadAsFarAsSlotsStayLarge() {
    assertEquals(1, NewPlacement.virtualNodes(2, 2, 1L << 30));
    assertEquals(1, NewPlacement.virtualNodes(3, 3, 32 << 20));
    assertEquals(2, NewPlacement.virtualNodes(3, 3, 64 << 20));
    assertEquals(2, NewPlacement.virtualNodes(3, 3, 1L << 40));
    assertEquals(1, NewPlacement.virtualNodes(5, 3, 1L << 30));
    assertEquals(2, NewPlacement.virtualNodes(5, 3, 2L << 30));
    assertEquals(4, NewPlacement.virtualNodes(5, 3, 4L << 30));
    assertEquals(
        4, NewPlacement.virtualNodes(64, 3, 1L << 40), "an address has eight bits for them");
  }
}
