package org.nelumbo.simulation.replication;

import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.ReplicatedFabric;

/**
 * A mutant: READs go to any live copy, whoever may be writing there, unless WRITEs are posted with
 * them. What they have seen is on all copies before they return, so nothing is read that could be
 * lost; but a CAS that the primary has done, and that has not come to this copy, is missed. Two
 * flushes that each change one word and then read the other's may so miss each other: a hash
 * segment that is split loses an entry.
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

  /** A channel to the memory node itself; null if it is not live. */
  Channel open(int node, int stagingBytes) {
    return isLive(node) ? nodes.openChannel(node, stagingBytes) : null;
  }

  boolean isLive(int node) {
    return nodes.isSettled(node) && (replicated.liveNodes() >>> node & 1) != 0;
  }

  /** Lives of the memory nodes so far: a channel is good for one of them. */
  int lives() {
    return nodes.lives();
  }

  /** Where a memory node has its copy of an address; every node has one of everything. */
  long place(int node, long address) {
    int copy = Math.floorMod(node - PoolAddress.node(address), nodeCount());
    return NodeHeaderLayout.LENGTH + copy * nodeBytes(0) + PoolAddress.offset(address);
  }
}
