package org.nelumbo.dm.fabric.local;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;

/** A pool inside this process: every memory node is a reserved region of memory, and a verb is a plain memory operation. */
public final class LocalFabric implements Fabric {
  private final ReservedMemory[] memories;
  private final MemorySegment[] nodes;
  private final long nodeBytes;

  /**
   * Reserves the nodes' memory; what is not touched costs nothing.
   *
   * @param nodeCount number of memory nodes, 1 to 256
   * @param nodeBytes bytes of each
   */
  public LocalFabric(int nodeCount, long nodeBytes) {
    if (nodeCount < 1 || nodeCount > 256) {
      throw new IllegalArgumentException("a pool has 1 to 256 memory nodes nodeCount=" + nodeCount);
    }
    this.nodeBytes = nodeBytes;
    this.memories = new ReservedMemory[nodeCount];
    this.nodes = new MemorySegment[nodeCount];
    for (int node = 0; node < nodeCount; node++) {
      memories[node] = new ReservedMemory(nodeBytes);
      nodes[node] = memories[node].segment();
    }
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new LocalChannel(nodes, stagingBytes);
  }

  @Override
  public int nodeCount() {
    return nodes.length;
  }

  @Override
  public long nodeBytes(int node) {
    return nodeBytes;
  }

  @Override
  public boolean isRemote() {
    return false;
  }

  /** Gives the memory back; no channel may be in use any more. */
  @Override
  public void close() {
    for (ReservedMemory memory : memories) {
      memory.close();
    }
  }
}
