package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.membership.WantedPool;
import org.nelumbo.dm.replication.view.Placement;

/**
 * A compute node fails in the middle of a flush. The next one fails while it makes the copies
 * equal, and a memory node fails with it. The copies that the third compute node continues with
 * contain a prefix of the flush.
 */
@Timeout(120)
class InterruptedAttachTest {
  private static final int NODES = 3;
  private static final int WINDOW = 8 << 10;
  private static final long NODE_BYTES = 4096 + NODES * (64 << 10);

  /** Words of a flush, each in its own window; the last one is posted first. */
  private static final int WORDS = 5;

  private static final Placement PLACEMENT = Placement.of(NODES, NODES, 1, NODE_BYTES);
  private static final ReplicatedFabric.Options OPTIONS =
      ReplicatedFabric.Options.DEFAULT
          .withReconnectNanos(60_000_000_000L)
          .withWindowBytes(WINDOW)
          .withWanted(WantedPool.of(0, 1));

  private static long offset(int word) {
    return 4096 + (long) word * WINDOW;
  }

  private static ReplicatedFabric open(FragileNodes nodes, ReplicatedFabric.Options options) {
    return nodes.open(new SystemEnvironment(), options);
  }

  private static void put(FragileNodes nodes, int node, long offset, long value) {
    try (Channel channel = nodes.inspect(node)) {
      channel.writeLong(PoolAddress.of(0, offset), value);
      channel.flush();
    }
  }

  private static long get(Channel channel, long address) {
    channel.read(address, 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  /**
   * Returns a pool whose owner failed when the copies had received 5, 2 and 0 words of a flush to
   * each node.
   */
  private static FragileNodes diedInAFlush() {
    FragileNodes nodes = new FragileNodes(NODES, NODE_BYTES);
    open(nodes, OPTIONS).close();
    for (int logical = 0; logical < NODES; logical++) {
      for (int copy = 0; copy < NODES; copy++) {
        int done = copy == 0 ? WORDS : 2 * (copy - 1);
        for (int word = WORDS - done; word < WORDS; word++) {
          long place = PLACEMENT.offset(logical, copy, offset(word));
          put(nodes, PLACEMENT.node(logical, copy), place, 1);
        }
      }
    }
    for (int node = 0; node < NODES; node++) {
      put(nodes, node, NodeHeaderLayout.IN_USE_OFFSET, 1);
    }
    return nodes;
  }

  /**
   * Attaches with a compute node that fails after the given number of verbs; returns true if the
   * attach finishes before.
   */
  private static boolean dieAfter(FragileNodes nodes, long verbs, int lostNode) {
    AtomicLong left = new AtomicLong(verbs);
    AtomicBoolean isDead = new AtomicBoolean();
    nodes.setBeforeVerb(
        node -> {
          if (left.getAndDecrement() == 0) {
            isDead.set(true);
            nodes.kill(lostNode);
          }
          if (isDead.get()) {
            throw new FabricException(node, "the compute node is dead", null);
          }
        });
    try {
      open(nodes, OPTIONS).close();
    } catch (FabricException | PoolOpenException e) {
      assertTrue(isDead.get(), e::getMessage);
    }
    nodes.setBeforeVerb(node -> {});
    return !isDead.get();
  }

  private static ReplicatedFabric openWhatIsLeft(FragileNodes nodes) {
    try {
      return open(nodes, OPTIONS);
    } catch (PoolOpenException e) {
      return open(nodes, OPTIONS.withWanted(new WantedPool(0, 0, true, PoolExpectation.ANY)));
    }
  }

  private static void assertSomeFirstPart(ReplicatedFabric fabric, String message) {
    try (Channel channel = fabric.openChannel(64)) {
      for (int logical = 0; logical < NODES; logical++) {
        for (int word = 1; word < WORDS; word++) {
          long earlier = get(channel, PoolAddress.of(logical, offset(word)));
          long later = get(channel, PoolAddress.of(logical, offset(word - 1)));
          assertTrue(earlier >= later, message + " logical=" + logical + " word=" + word);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void shouldNeverContinueWithMixedCopy(int lostNode) {
    boolean isOver = false;
    for (long verbs = 0; !isOver; verbs++) {
      try (FragileNodes nodes = diedInAFlush()) {
        isOver = dieAfter(nodes, verbs, lostNode);
        try (ReplicatedFabric fabric = openWhatIsLeft(nodes)) {
          assertSomeFirstPart(fabric, "verbs=" + verbs);
        }
      }
    }
  }

  @Test
  void shouldMakeAllCopiesEqual() {
    try (FragileNodes nodes = diedInAFlush()) {
      try (ReplicatedFabric fabric = open(nodes, OPTIONS)) {
        assertEquals(0b111, fabric.liveNodes());
      }
      for (int logical = 0; logical < NODES; logical++) {
        for (int copy = 0; copy < NODES; copy++) {
          int node = PLACEMENT.node(logical, copy);
          try (Channel channel = nodes.inspect(node)) {
            long place = PLACEMENT.offset(logical, copy, offset(0));
            assertEquals(1, get(channel, PoolAddress.of(0, place)), "node=" + node);
          }
        }
      }
    }
  }
}
