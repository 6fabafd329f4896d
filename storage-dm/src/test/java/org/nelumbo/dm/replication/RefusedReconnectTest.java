package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolInUseException;

/** An excluded node is reconnected, and refuses because it is in use. */
@Timeout(60)
class RefusedReconnectTest extends ThreeReplicas {
  private static void awaitLoss(ReplicatedFabric fabric) {
    while (!fabric.replicationStatus().lost()) {
      LockSupport.parkNanos(100_000);
    }
  }

  /**
   * The compute node had to continue without the memory node; the refusal shows that another
   * compute node owns the pool.
   */
  @Test
  void shouldLosePoolWhenNodeServesAnotherComputeNode() {
    ReplicatedFabric fabric = open();
    nodes.setBeforeConnect(
        node -> {
          throw new PoolInUseException("it is in use by process B", "process B", false);
        });
    try (Channel channel = fabric.openChannel(1024)) {
      nodes.kill(1);
      awaitLoss(fabric);
      FabricException e = assertThrows(FabricException.class, () -> add(channel, word(0, 0)));
      assertTrue(e.getMessage().contains("now serves process B"), e.getMessage());
    }
  }

  /** The node has not yet detected that the old connection of this process is closed. */
  @Test
  void shouldRetryWhileNodeServesOldConnection() {
    ReplicatedFabric fabric = open();
    AtomicInteger refusals = new AtomicInteger();
    nodes.setBeforeConnect(
        node -> {
          if (refusals.incrementAndGet() <= 3) {
            throw new PoolInUseException("it is in use by process A", "process A", true);
          }
        });
    try (Channel channel = fabric.openChannel(1024)) {
      nodes.kill(1);
      await(fabric, 0b101);
      nodes.restartEmpty(1);
      await(fabric, ALL);
      assertFalse(fabric.replicationStatus().lost());
      assertEquals(0, add(channel, word(0, 0)));
      assertTrue(refusals.get() > 3);
    }
  }
}
