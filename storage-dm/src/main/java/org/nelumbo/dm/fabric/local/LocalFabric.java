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
 * A fabric of memory nodes that are mapped into this process, so that a verb is a plain memory
 * operation. The nodes are private regions, reserved lazily so that only touched pages cost memory,
 * or regions that other processes map as well (see {@code fabric.shm}).
 *
 * <p>The memory is returned to the system when the fabric and all its channels are closed. So a
 * channel that outlives its fabric still works, and a closed channel refuses verbs.
 */
public final class LocalFabric implements Fabric {
  private static final int NODES_MAX = 256;

  private final NodeMemory[] nodes;
  private final long[] bases;
  private final long nodeBytes;
  private final AtomicInteger holders = new AtomicInteger(1);
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Null if {@link #fill} copies its source synchronously. */
  private final Environment environment;

  /** Null if no other process can ever map the memory. */
  private final WriteGates gates;

  private volatile PendingMemory pending;

  /** Creates a pool of one node. */
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

  /** Creates a pool of one node, with a thread that populates pages ahead of their use. */
  public LocalFabric(long nodeBytes, Environment environment) {
    this(
        new NodeMemory[] {PrefaultedMemory.of(reserve(1, nodeBytes)[0], environment)},
        environment,
        null);
  }

  /**
   * Creates a fabric over mapped nodes; the fabric releases them.
   *
   * @throws IllegalArgumentException if their sizes differ
   */
  public LocalFabric(NodeMemory[] nodes) {
    this(nodes, null, null);
  }

  /**
   * Creates a fabric over nodes that other processes may map as well.
   *
   * @param gates gates of the channels that this fabric opens; null if no other process can map the
   *     nodes
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
      throw new IllegalArgumentException(
          "the number of memory nodes must be 1 to 256 nodeCount=" + nodeCount);
    }
    if (nodeBytes < 1 || nodeBytes > 1L << PoolAddress.OFFSET_BITS) {
      throw new IllegalArgumentException(
          "the size of a node must be 1 byte to 1 TiB nodeBytes=" + nodeBytes);
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

  /** Opens a channel with a shared staging buffer, which is native memory with 8-byte alignment. */
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
        throw new FabricException("this process has released the pool", null);
      }
    } while (!holders.compareAndSet(count, count + 1));
  }

  /**
   * Starts a thread that loads all of the source. A channel that needs a piece earlier loads that
   * piece itself.
   */
  @Override
  public void fill(MemorySource source) {
    if (environment == null) {
      Fabric.super.fill(source);
      return;
    }
    if (nodes.length != 1 || source.bytes() > nodeBytes) {
      source.close();
      throw new IllegalArgumentException("the new pool must have one node, and memory for it");
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
