package org.nelumbo.simulation.replication;

import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.ReplicatedFabric;

/**
 * A mutant whose READs go to any live copy, regardless of concurrent writers, unless WRITEs are
 * posted with them. All copies have the values that were read before the READs return, so that no
 * value is lost later. A READ can however miss a CAS that the primary has executed and that has not
 * reached this copy yet. Two flushes that each change one word and then read the other one can
 * therefore miss each other: a hash segment that is split loses an entry.
 */
final class AnyCopyFabric extends ForwardingFabric {
  private final ReplicatedFabric replicated;
  private final SimReplicas nodes;
  private final AtomicInteger channels = new AtomicInteger();

  AnyCopyFabric(ReplicatedFabric replicated, SimReplicas nodes) {
    super(replicated);
    this.replicated = replicated;
    this.nodes = nodes;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    int home = channels.getAndIncrement() % nodeCount();
    return new AnyCopyChannel(replicated.openChannel(stagingBytes), this, home);
  }

  /** Opens a channel to the memory node itself; returns null if the node is not live. */
  Channel open(int node, int stagingBytes) {
    return isLive(node) ? nodes.openChannel(node, stagingBytes) : null;
  }

  boolean isLive(int node) {
    return nodes.isSettled(node) && (replicated.liveNodes() >>> node & 1) != 0;
  }

  /** Returns the number of lives of all memory nodes so far; a channel belongs to one life. */
  int lives() {
    return nodes.lives();
  }

  /**
   * Returns the address of a memory node's copy of an address; every node has a copy of all data.
   */
  long place(int node, long address) {
    int copy = Math.floorMod(node - PoolAddress.node(address), nodeCount());
    return NodeHeaderLayout.LENGTH + copy * nodeBytes(0) + PoolAddress.offset(address);
  }
}
