package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.ReplicationStatus;

/** Tests memory nodes whose files cannot grow, during allocation and while nodes are filled. */
@Timeout(120)
class ReplicatedRoomTest extends ThreeReplicas {
  private static final long BUMP = PoolAddress.of(0, SuperblockLayout.BUMP_OFFSET);
  private static final long FIRST = SuperblockLayout.LENGTH;
  private static final long BYTES = 64 << 10;
  private static final long SLOT_BYTES = 256 << 10;

  /**
   * Room for the beginning of the copy of logical node 0, which is in a different slot on each
   * node.
   */
  private static final long[] LITTLE = {
    4096 + (32 << 10), 4096 + (256 << 10) + (32 << 10), 4096 + (512 << 10) + (32 << 10)
  };

  private ReplicatedFabric fabric;

  @BeforeEach
  void begin() {
    fabric = open();
    try (Channel channel = fabric.openChannel(64)) {
      put(channel, BUMP, FIRST);
    }
  }

  private long handOut() {
    try (Channel channel = fabric.openChannel(64)) {
      channel.fetchAndAdd(BUMP, BYTES, 0);
      channel.flush();
      return channel.staging().get(ValueLayout.JAVA_LONG, 0);
    }
  }

  private long bump() {
    try (Channel channel = fabric.openChannel(64)) {
      return get(channel, BUMP);
    }
  }

  private ReplicationStatus.Node picture(int node) {
    return fabric.replicationStatus().nodes().get(node);
  }

  @Test
  void shouldExcludeFullNodeWhileOtherCopiesHaveSpace() {
    nodes.setRoom(1, LITTLE[1]);
    assertEquals(FIRST, handOut());
    assertEquals(0b101, fabric.liveNodes());
    assertEquals(FIRST + BYTES, handOut());
    assertEquals(FIRST + 2 * BYTES, bump());
  }

  @Test
  void shouldReportNoRoomWhenAllCopiesAreFull() {
    for (int node = 0; node < NODES; node++) {
      nodes.setRoom(node, LITTLE[node]);
    }
    assertEquals(SuperblockLayout.NO_ROOM, handOut());
    assertEquals(ALL, fabric.liveNodes());
    assertEquals(FIRST, bump());
    assertEquals(SuperblockLayout.NO_ROOM, handOut());
    for (int node = 0; node < NODES; node++) {
      nodes.setRoom(node, NODE_BYTES);
    }
    assertEquals(FIRST, handOut());
    assertEquals(ALL, fabric.liveNodes());
    fabric.close();
    assertCopiesAreEqual();
  }

  @Test
  void shouldServeAllocatedMemoryFromFullLastCopy() {
    nodes.kill(0);
    nodes.kill(1);
    nodes.setRoom(2, LITTLE[2]);
    assertEquals(SuperblockLayout.NO_ROOM, handOut());
    assertEquals(0b100, fabric.liveNodes());
    try (Channel channel = fabric.openChannel(64)) {
      put(channel, word(0, 1), 7);
      assertEquals(7, get(channel, word(0, 1)));
    }
    nodes.setRoom(2, NODE_BYTES);
    assertEquals(FIRST, handOut());
  }

  @Test
  void shouldFillNodeOnceItHasSpace() {
    nodes.setRoom(1, LITTLE[1]);
    handOut();
    CountDownLatch triedAgain = new CountDownLatch(20);
    nodes.setBeforeVerb(
        node -> {
          if (node == 1) {
            triedAgain.countDown();
          }
        });
    awaitLatch(triedAgain);
    assertEquals(0b101, fabric.liveNodes());
    assertEquals(0, fabric.replicationStatus().filledNodes());
    nodes.setBeforeVerb(node -> {});
    nodes.setRoom(1, NODE_BYTES);
    await(fabric, ALL);
    fabric.close();
    assertCopiesAreEqual();
  }

  @Test
  void shouldReportThatExcludedNodeNeedsSpace() {
    nodes.setRoom(1, LITTLE[1]);
    handOut();
    while (picture(1).state() != ReplicationStatus.State.OUT) {
      LockSupport.parkNanos(100_000);
    }
    assertTrue(picture(1).why().contains("free space there"), picture(1).why());
  }

  /** The bump word of the filled node would differ from those of the live nodes. */
  @Test
  void shouldRefillNodeThatAllocatedWhenLiveNodesWereFull() throws Exception {
    nodes.kill(1);
    handOut();
    assertEquals(0b101, fabric.liveNodes());
    nodes.setRoom(0, LITTLE[0]);
    nodes.setRoom(2, LITTLE[2]);
    CountDownLatch isPartlyFilled = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    long[] told = {0};
    Thread asking = Thread.ofPlatform().unstarted(() -> told[0] = handOut());
    nodes.setBeforeVerb(
        node -> {
          if (Thread.currentThread() == asking && node == 2) {
            goOn.countDown();
          } else if (node == 1
              && Thread.currentThread().getName().contains("nelumbo-views")
              && picture(1).filledBytes() > SLOT_BYTES) {
            isPartlyFilled.countDown();
            awaitLatch(goOn);
          }
        });
    nodes.restartEmpty(1);
    isPartlyFilled.await();
    asking.start();
    asking.join();
    assertEquals(SuperblockLayout.NO_ROOM, told[0]);
    assertEquals(FIRST + BYTES, bump());
    nodes.setBeforeVerb(node -> {});
    await(fabric, ALL);
    fabric.close();
    assertCopiesAreEqual();
  }
}
