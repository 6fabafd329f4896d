package org.nelumbo.dm.fabric.local;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.MemorySource;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Memory nodes that are mapped into this process, so that a verb is a plain memory operation:
 * regions of its own, lazily reserved, so a node costs what is touched of it; or regions that other
 * processes map, too (see {@code fabric.shm}).
 *
 * <p>The memory goes back to the system when the fabric and all its channels are closed; a channel
 * that outlives its fabric therefore still works, and a channel that is closed refuses verbs.
 */
public final class LocalFabric implements Fabric {
  private static final int NODES_MAX = 256;

  private final NodeMemory[] nodes;
  private final long[] bases;
  private final long nodeBytes;
  private final AtomicInteger holders = new AtomicInteger(1);
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Null if what is to fill a node is written to it at once. */
  private final Environment environment;

  /** Null if this process alone has the memory, and others never will. */
  private final WriteGates gates;

  /** Null if all is there that the nodes hold. */
  private volatile PendingMemory pending;

  /** A pool of one node. */
  public LocalFabric(long nodeBytes) {
    this(1, nodeBytes);
  }

  /**
   * Reserves the memory of {@code nodeCount} nodes, all zero.
   *
   * @param nodeBytes bytes of one node, rounded up to a multiple of 4096
   * @throws IllegalStateException if the system cannot reserve that much
   */
  public LocalFabric(int nodeCount, long nodeBytes) {
    this(reserve(nodeCount, nodeBytes));
  }

  /**
   * A pool of one node, with a thread that has the system clear pages a little before they are
   * used.
   */
  public LocalFabric(long nodeBytes, Environment environment) {
    this(
        new NodeMemory[] {PrefaultedMemory.of(reserve(1, nodeBytes)[0], environment)},
        environment,
        null);
  }

  /**
   * A fabric over nodes that are mapped; it releases them.
   *
   * @throws IllegalArgumentException if they are not of one size
   */
  public LocalFabric(NodeMemory[] nodes) {
    this(nodes, null, null);
  }

  /**
   * A fabric over nodes that other processes may map, too.
   *
   * @param gates what its channels change goes through; null if nobody else may
   */
  public LocalFabric(NodeMemory[] nodes, WriteGates gates) {
    this(nodes, null, gates);
  }

  private LocalFabric(NodeMemory[] nodes, Environment environment, WriteGates gates) {
    this.environment = environment;
    this.gates = gates;
    this.nodes = nodes.clone();
    this.nodeBytes = nodes[0].bytes();
    bases = new long[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i].bytes() != nodeBytes) {
        throw new IllegalArgumentException(
            "nodes of different sizes node=" + i + " bytes=" + nodes[i].bytes());
      }
      bases[i] = nodes[i].address();
    }
  }

  private static NodeMemory[] reserve(int nodeCount, long nodeBytes) {
    if (nodeCount < 1 || nodeCount > NODES_MAX) {
      throw new IllegalArgumentException("1 to 256 memory nodes wanted nodeCount=" + nodeCount);
    }
    if (nodeBytes < 1 || nodeBytes > 1L << PoolAddress.OFFSET_BITS) {
      throw new IllegalArgumentException("1 byte to 1 TiB a node wanted nodeBytes=" + nodeBytes);
    }
    NodeMemory[] nodes = new NodeMemory[nodeCount];
    for (int i = 0; i < nodeCount; i++) {
      try {
        nodes[i] = AnonymousMapping.reserve((nodeBytes + 4095) & -4096);
      } catch (RuntimeException | OutOfMemoryError e) {
        for (int k = 0; k < i; k++) {
          nodes[k].release();
        }
        throw e;
      }
    }
    return nodes;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return openChannel(AnonymousMapping.segment((stagingBytes + 7) & -8));
  }

  /** A channel with a staging buffer that others use, too; 8-byte aligned, native memory. */
  public Channel openChannel(MemorySegment staging) {
    hold();
    try {
      PendingMemory coming = pending;
      if (coming != null && coming.isComplete()) {
        coming = null;
      }
      WriteGate gate = gates == null ? null : gates.open();
      return new LocalChannel(nodes, bases, nodeBytes, coming, staging, gate, this::releaseHolder);
    } catch (RuntimeException | Error e) {
      releaseHolder();
      throw e;
    }
  }

  private void hold() {
    int count;
    do {
      count = holders.get();
      if (closed.get() || count == 0) {
        throw new FabricException("this process has let go of the pool", null);
      }
    } while (!holders.compareAndSet(count, count + 1));
  }

  /** A thread brings all of it; who wants something earlier brings that. */
  @Override
  public void fill(MemorySource source) {
    if (environment == null) {
      Fabric.super.fill(source);
      return;
    }
    if (nodes.length != 1 || source.bytes() > nodeBytes) {
      source.close();
      throw new IllegalArgumentException("one node, and room for it, are wanted");
    }
    hold();
    PendingMemory coming = new PendingMemory(environment, source, bases[0]);
    pending = coming;
    Runnable body =
        () -> {
          try {
            coming.run();
          } finally {
            releaseHolder();
          }
        };
    environment.thread("nelumbo-memory-image", body).start();
  }

  @Override
  public int nodeCount() {
    return nodes.length;
  }

  @Override
  public long nodeBytes(int node) {
    if (node < 0 || node >= nodes.length) {
      throw new IllegalArgumentException("no such memory node node=" + node);
    }
    return nodeBytes;
  }

  @Override
  public String nodeName(int node) {
    return nodes[node].name();
  }

  @Override
  public String nodeProblem(int node) {
    return nodes[node].problem();
  }

  @Override
  public boolean isRemote() {
    return false;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      PendingMemory coming = pending;
      if (coming != null) {
        coming.stop();
      }
      releaseHolder();
    }
  }

  private void releaseHolder() {
    if (holders.decrementAndGet() == 0) {
      for (NodeMemory node : nodes) {
        node.release();
      }
    }
  }
}
