package org.nelumbo.dm.pool;

/** A fabric that says it is remote, so that the engine remembers CVTs; for tests. */
public class DistantFabric extends ForwardingFabric {
  public DistantFabric(Fabric fabric) {
    super(fabric);
  }

  @Override
  public boolean isRemote() {
    return true;
  }
}
