package org.nelumbo.executor.txn;

import org.nelumbo.dm.fabric.Fabric;
import org.nelumbo.dm.fabric.ForwardingFabric;

/** A fabric that says it is remote, so that the engine remembers CVTs; for tests. */
final class DistantFabric extends ForwardingFabric {
  DistantFabric(Fabric fabric) {
    super(fabric);
  }

  @Override
  public boolean isRemote() {
    return true;
  }
}
