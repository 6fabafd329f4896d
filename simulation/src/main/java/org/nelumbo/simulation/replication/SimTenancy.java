package org.nelumbo.simulation.replication;

import java.util.List;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;

/** One memory node's view of the compute nodes that share it, used for changes of views. */
record SimTenancy(SimReplicas nodes, SimReplicas.Connection connection) implements SharedPool {
  private static final long LEASE_NANOS = 1_000_000;

  @Override
  public long tenant() {
    return connection.self();
  }

  @Override
  public void fence(long tenant) {
    nodes.fence(connection, tenant);
  }

  @Override
  public void expel(long tenant) {
    nodes.expel(connection, tenant);
  }

  @Override
  public List<PoolTenant> tenants() {
    return nodes.tenants(connection);
  }

  @Override
  public long leaseNanos() {
    return LEASE_NANOS;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public void share() {
    // The pool is shared already.
  }

  @Override
  public void ownAlone() {
    throw new UnsupportedOperationException("the last member attaches exclusively afterwards");
  }

  @Override
  public PeerNetwork openPeers(PeerId self) {
    throw new UnsupportedOperationException("messages use another network");
  }
}
