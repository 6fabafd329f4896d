package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.alloc.DonatedMemory;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.superblock.ComputeNodeEntry;

/**
 * A compute node fails while it takes donated memory: its CAS has reached the last backup, but not
 * the primary. Before that compute node is fenced, another one donates memory.
 */
@Timeout(60)
class DonatedMemoryCopiesTest extends ThreeReplicas {
  private static final ComputeNodeEntry OWNER = new ComputeNodeEntry(2, 1);
  private static final long PLACE =
      SuperblockLayout.computeNode(1) + SuperblockLayout.COMPUTE_NODE_DONATED_OFFSET;
  private static final int STAGING_BYTES = 64 << 10;
  private static final int CALLS_MAX = 200;
  private static final int FLUSHES = 600;

  private final SystemEnvironment environment = new SystemEnvironment();

  private long at(int copy) {
    Placement placement = Placement.of(NODES, NODES, 1, NODE_BYTES);
    try (Channel channel = nodes.inspect(placement.node(0, copy))) {
      return get(channel, PoolAddress.of(0, placement.offset(0, copy, PoolAddress.offset(PLACE))));
    }
  }

  /** Takes donated memory and fails in the given call; returns true if it has failed. */
  private boolean takeAndFail(ReplicatedFabric failing, long named, int call) {
    AtomicInteger left = new AtomicInteger(call);
    AtomicBoolean isArmed = new AtomicBoolean();
    Thread own = Thread.currentThread();
    nodes.setBeforeCall(
        () -> {
          if (isArmed.get() && Thread.currentThread() == own && left.getAndDecrement() == 0) {
            isArmed.set(false);
            throw new OutOfMemoryError("this compute node fails");
          }
        });
    Channel channel = failing.openChannel(STAGING_BYTES);
    isArmed.set(true);
    try {
      DonatedMemory.take(failing, new ChunkPool(failing, () -> 0), channel, OWNER.entry(), named);
      return false;
    } catch (OutOfMemoryError e) {
      return true;
    } finally {
      isArmed.set(false);
    }
  }

  /** Returns a compute node that has failed between the last backup and the primary. */
  private ReplicatedFabric failBetween(ReplicatedFabric survivor, Channel channel) {
    for (int call = 0; call < CALLS_MAX; call++) {
      ReplicatedFabric failing = nodes.enter(environment, OPTIONS);
      boolean hasFailed = takeAndFail(failing, get(channel, PLACE), call);
      assertTrue(hasFailed, "it never fails in between");
      if (at(0) != at(NODES - 1)) {
        return failing;
      }
      survivor.complete(failing.tenant(), _ -> false);
    }
    throw new AssertionError("too many calls");
  }

  @Test
  void shouldDonateMemoryOnlyAfterFailedFlushIsCompleted() throws Exception {
    ReplicatedFabric survivor = open();
    Channel channel = survivor.openChannel(STAGING_BYTES);
    for (int node = 0; node < NODES; node++) {
      put(channel, PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET), 64 << 10);
    }
    survivor.share(true);
    ChunkPool chunks = new ChunkPool(survivor, () -> 0);
    chunks.setShared(true);
    PoolAllocator allocator = chunks.newAllocator(channel);
    assertTrue(DonatedMemory.donateSome(environment, chunks, OWNER, channel, allocator, 0));
    assertTrue(DonatedMemory.donateSome(environment, chunks, OWNER, channel, allocator, 0));
    ReplicatedFabric failed = failBetween(survivor, channel);
    nodes.setBeforeCall(() -> {});
    AtomicInteger flushes = new AtomicInteger();
    Thread leaving =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> DonatedMemory.donateSome(environment, chunks, OWNER, channel, allocator, 0));
    nodes.setBeforeCall(
        () -> {
          if (Thread.currentThread() == leaving) {
            flushes.getAndIncrement();
          }
        });
    long undecided = at(NODES - 1);
    while (flushes.get() < FLUSHES) {
      assertEquals(undecided, at(NODES - 1), "somebody has built on what is not decided");
    }
    survivor.complete(failed.tenant(), _ -> false);
    leaving.join();
    for (int copy = 1; copy < NODES; copy++) {
      assertEquals(at(0), at(copy));
    }
  }
}
