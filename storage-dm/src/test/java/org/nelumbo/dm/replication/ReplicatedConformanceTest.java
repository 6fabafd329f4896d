package org.nelumbo.dm.replication;

import org.junit.jupiter.api.AfterEach;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricConformanceTest;

/**
 * The conformance tests on replicated memory. A pool has at least two nodes, so it may have one
 * more than requested.
 */
class ReplicatedConformanceTest extends FabricConformanceTest {
  private static final int COPIES = 2;
  private FragileNodes nodes;
  private FragileNodes last;

  @Override
  protected Fabric openFabric(int count, long nodeBytes) {
    last = nodes;
    nodes = new FragileNodes(Math.max(count, COPIES), NodeHeaderLayout.LENGTH + COPIES * nodeBytes);
    return nodes.open(new SystemEnvironment(), ReplicatedFabric.Options.DEFAULT);
  }

  @AfterEach
  void closeNodes() {
    nodes.close();
    if (last != null) {
      last.close();
    }
  }
}
