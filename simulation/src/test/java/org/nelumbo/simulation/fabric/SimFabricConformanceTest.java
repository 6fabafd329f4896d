package org.nelumbo.simulation.fabric;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricConformanceTest;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimWorld;

/** The conformance kit on the simulated fabric, with simulated threads. */
class SimFabricConformanceTest extends FabricConformanceTest {
  private final SimWorld world = new SimWorld(7, Trace.hashing());
  private final SimNode node = world.addNode("cn0");

  @Override
  protected Fabric openFabric(int nodes, long nodeBytes) {
    return new SimFabric(world, FabricModel.preset("cxl"), nodes, nodeBytes).attach();
  }

  @Override
  protected void run(List<Task> tasks) {
    for (Task task : tasks) {
      world.spawn(
          node,
          "task",
          () -> {
            try (Channel mine = fabric.openChannel(STAGING_BYTES)) {
              task.run(mine);
            }
          });
    }
    world.run();
  }

  @AfterEach
  void endWorld() {
    world.close();
  }
}
