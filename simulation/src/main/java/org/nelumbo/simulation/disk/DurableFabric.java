package org.nelumbo.simulation.disk;

import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.node.NodeLog;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimWorld;

/** The fabric of a compute node whose memory node keeps a log. */
final class DurableFabric extends ForwardingFabric {
  private final NodeLog log;
  private final SimPoolLog way;
  private boolean isFenced;

  DurableFabric(Fabric fabric, SimWorld world, SimNode memoryNode, NodeLog log) {
    super(fabric);
    this.log = log;
    this.way = new SimPoolLog(world, 0, memoryNode, log, () -> isFenced, () -> false);
  }

  /** Fences the compute node: frames that have not arrived yet are not appended. */
  void fence() {
    isFenced = true;
    way.close();
  }

  @Override
  public long poolId() {
    return log.id();
  }

  @Override
  public PoolLog log() {
    return way;
  }
}
