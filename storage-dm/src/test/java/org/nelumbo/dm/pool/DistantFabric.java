package org.nelumbo.dm.pool;

/** A fabric for tests that reports itself as remote, so that the engine caches CVTs. */
public class DistantFabric extends ForwardingFabric {
  public DistantFabric(Fabric fabric) {
    super(fabric);
  }

  @Override
  public boolean isRemote() {
    return true;
  }
}
