package org.nelumbo.executor.txn;

import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;

/** A fabric that says it is remote, so that the engine remembers CVTs; for tests. */
record DistantFabric(Fabric fabric) implements Fabric {
  @Override
  public Channel openChannel(int stagingBytes) {
    return fabric.openChannel(stagingBytes);
  }

  @Override
  public int nodeCount() {
    return fabric.nodeCount();
  }

  @Override
  public long nodeBytes(int node) {
    return fabric.nodeBytes(node);
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public void close() {
    fabric.close();
  }
}
