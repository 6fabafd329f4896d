package org.nelumbo.executor.txn;

import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingFabric;

/** A fabric that says it is remote, so that the engine remembers CVTs; for tests. */
public final class DistantFabric extends ForwardingFabric {
  public DistantFabric(Fabric fabric) {
    super(fabric);
  }

  @Override
  public boolean isRemote() {
    return true;
  }
}
