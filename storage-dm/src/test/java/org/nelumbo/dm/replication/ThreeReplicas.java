package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.view.Placement;

/** A pool on three memory nodes that can be killed, with a copy of all memory on each. */
abstract class ThreeReplicas {
  static final int NODES = 3;
  static final long NODE_BYTES = 4096 + 3 * (256 << 10);
  static final long ALL = 0b111;
  static final long BASE = 8192;

  static final ReplicatedFabric.Options OPTIONS =
      ReplicatedFabric.Options.DEFAULT.withReconnectNanos(1_000_000).withWindowBytes(16 << 10);

  private final SystemEnvironment environment = new SystemEnvironment();
  final FragileNodes nodes = new FragileNodes(NODES, NODE_BYTES);
  private final List<Fabric> opened = new ArrayList<>();

  ReplicatedFabric open() {
    return open(OPTIONS);
  }

  ReplicatedFabric open(ReplicatedFabric.Options options) {
    ReplicatedFabric fabric = nodes.open(environment, options);
    opened.add(fabric);
    return fabric;
  }

  @AfterEach
  void close() {
    opened.forEach(Fabric::close);
    nodes.close();
  }

  /** Closes all opened fabrics. */
  void restartOpened() {
    opened.forEach(Fabric::close);
    opened.clear();
  }

  static void await(ReplicatedFabric fabric, long live) {
    while (fabric.liveNodes() != live) {
      assertFalse(fabric.replicationStatus().lost(), "the pool is lost");
      LockSupport.parkNanos(100_000);
    }
  }

  static long word(int node, int index) {
    return PoolAddress.of(node, BASE + 64L * index);
  }

  static void put(Channel channel, long address, long value) {
    channel.writeLong(address, value);
    channel.flush();
  }

  static long get(Channel channel, long address) {
    channel.read(address, 0, 8);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  static long add(Channel channel, long address) {
    channel.fetchAndAdd(address, 1, 0);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  long[] verbs() {
    long[] verbs = new long[NODES];
    for (int node = 0; node < NODES; node++) {
      verbs[node] = nodes.verbs(node);
    }
    return verbs;
  }

  static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Asserts that all copies of each logical node are equal. */
  void assertCopiesAreEqual() {
    assertCopiesAreEqual(1);
  }

  /**
   * Asserts that all copies are equal.
   *
   * @param virtualNodes number of logical nodes per memory node
   */
  void assertCopiesAreEqual(int virtualNodes) {
    Placement placement = Placement.of(NODES, NODES, virtualNodes, NODE_BYTES);
    for (int logical = 0; logical < placement.logicals(); logical++) {
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
        channel.read(PoolAddress.of(0, placement.offset(logical, copy, at)), 0, 4096);
        channel.flush();
        MemorySegment.copy(channel.staging(), ValueLayout.JAVA_BYTE, 0, bytes, at, 4096);
      }
    }
    return bytes;
  }
}
