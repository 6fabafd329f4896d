package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;

/**
 * Tests that the background threads of a replicated pool do their work despite errors of the JVM.
 */
@Timeout(120)
class BackgroundFailureTest extends ThreeReplicas {
  private static final String VIEW_CHANGER = "nelumbo-views";
  private static final String RECONNECTOR = "nelumbo-reconnector";

  private void failOn(String thread, AtomicInteger left, int times) {
    nodes.setBeforeVerb(
        node -> {
          if (Thread.currentThread().getName().equals(thread)) {
            int now = left.decrementAndGet();
            if (now < 0 && now >= -times) {
              throw new OutOfMemoryError("made up");
            }
          }
        });
  }

  /**
   * A node fails, is excluded, comes back and is filled. An error is thrown before a verb of these
   * steps.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30, 40, 50, 60})
  void shouldMaintainCopiesDespiteErrorsInViewThread(int verbs) {
    ReplicatedFabric fabric = open();
    try (Channel channel = fabric.openChannel(1024)) {
      for (int i = 0; i < 300; i++) {
        put(channel, word(i % NODES, i), i);
      }
      failOn(VIEW_CHANGER, new AtomicInteger(verbs), 2);
      nodes.kill(1);
      assertEquals(1, add(channel, word(1, 1)));
      await(fabric, 0b101);
      nodes.restartEmpty(1);
      await(fabric, ALL);
      assertEquals(2, add(channel, word(1, 1)));
      assertFalse(fabric.replicationStatus().lost());
    }
    nodes.setBeforeVerb(node -> {});
    fabric.close();
    assertCopiesAreEqual();
    try (Channel channel = open().openChannel(1024)) {
      assertEquals(3, get(channel, word(1, 1)));
    }
  }

  @Test
  void shouldReconnectNodeDespiteErrorsInReconnector() {
    ReplicatedFabric fabric = open();
    AtomicInteger tries = new AtomicInteger();
    nodes.setBeforeConnect(
        node -> {
          if (Thread.currentThread().getName().equals(RECONNECTOR)
              && tries.incrementAndGet() <= 3) {
            throw new OutOfMemoryError("made up");
          }
        });
    nodes.kill(2);
    await(fabric, 0b011);
    nodes.restartEmpty(2);
    await(fabric, ALL);
    assertTrue(tries.get() > 3);
  }

  /** A client that reaches a failed node gets the loss of the pool, and does not wait forever. */
  @Test
  void shouldLoseThePoolIfTheCopiesCannotBeLookedAfter() {
    ReplicatedFabric fabric = open();
    failOn(VIEW_CHANGER, new AtomicInteger(0), Integer.MAX_VALUE);
    try (Channel channel = fabric.openChannel(1024)) {
      nodes.kill(0);
      FabricException e = assertThrows(FabricException.class, () -> add(channel, word(0, 0)));
      assertTrue(e.getMessage().contains("view-change thread"), e.getMessage());
      assertTrue(fabric.replicationStatus().lost());
    }
  }
}
