package org.nelumbo.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.timestamp.ClockKind;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fault.FaultInjector;
import org.nelumbo.simulation.fault.FaultPlan;
import org.nelumbo.simulation.fault.StopPoint;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * Proves that the locks and cells left by a stopped coordinator are reported exactly, at whichever
 * step of its commit it stops.
 */
class OrphanedStateTest {
  private static final ClusterOptions OPTIONS =
      new ClusterOptions(
          Api.NATIVE,
          ConflictPolicy.NO_WAIT,
          1_000_000,
          1,
          1,
          4 << 20,
          2,
          true,
          true,
          false,
          false,
          20,
          false,
          64,
          1_000_000_000L,
          0,
          1 << 12,
          1_000_000,
          false,
          0,
          0,
          ClockKind.WORD,
          0,
          SchemaOptions.NONE);

  private static OrphanedState wreckage(StopPoint point) {
    OrphanedState[] found = new OrphanedState[1];
    try (SimWorld world = new SimWorld(5, Trace.hashing())) {
      SimNode node = world.addNode("cn0");
      SimFabric fabric = new SimFabric(world, FabricModel.preset("lotus-56g"), 1, 4 << 20);
      FaultInjector faults = new FaultInjector(fabric, FaultPlan.NONE);
      Cluster[] cluster = new Cluster[1];
      world.run(
          node,
          "setup",
          () -> {
            cluster[0] = Cluster.open(fabric, node, OPTIONS);
            ClusterSession clusterSession = cluster[0].newSession();
            clusterSession.begin(Isolation.SERIALIZABLE, false);
            clusterSession.insert(1, 1, 0, "a");
            clusterSession.insert(2, 1, 0, "b");
            clusterSession.commit();
            clusterSession.close();
          });
      SimTask writer =
          world.spawn(
              node,
              "writer",
              () -> {
                ClusterSession clusterSession = cluster[0].newSession();
                clusterSession.begin(Isolation.SERIALIZABLE, false);
                clusterSession.update(1, 2, 0, "c");
                clusterSession.update(2, 2, 0, "d");
                clusterSession.commit();
                clusterSession.begin(Isolation.SERIALIZABLE, false);
                clusterSession.update(1, 3, 0, "e");
                clusterSession.update(2, 3, 0, "f");
                faults.stopAt(world.current(), point);
                clusterSession.commit();
              });
      world.run();
      assertTrue(writer.isStopped());
      world.run(node, "observer", () -> found[0] = OrphanedState.of(cluster[0]));
    }
    return found[0];
  }

  @Test
  void shouldReportLocksOfCoordinatorStoppedBeforeWrite() {
    OrphanedState orphanedState = wreckage(new StopPoint(StopPoint.Kind.POST, 1));
    assertEquals(2, orphanedState.locks().size(), orphanedState::describe);
    for (OrphanedState.LeftLock each : orphanedState.locks()) {
      assertEquals("cn0/writer", each.owner().name());
      assertEquals(LockMode.WRITE, each.lock().mode());
    }
    assertEquals(List.of(), orphanedState.cells());
  }

  @Test
  void shouldReportCellsOfCoordinatorStoppedBeforeTimestamp() {
    OrphanedState orphanedState = wreckage(new StopPoint(StopPoint.Kind.FLUSHED, 1));
    assertEquals(2, orphanedState.locks().size(), orphanedState::describe);
    assertEquals(2, orphanedState.cells().size(), orphanedState::describe);
    for (OrphanedState.LeftCell each : orphanedState.cells()) {
      assertEquals("cn0/writer", each.owner().name());
    }
    assertTrue(orphanedState.describe().contains("cn0/writer left INVISIBLE cvt 0:0x"));
  }

  @Test
  void shouldReportOnlyCellStillInvisible() {
    int verbsBefore = verbsUntilInvisible();
    OrphanedState orphanedState = wreckage(new StopPoint(StopPoint.Kind.VERB, verbsBefore + 1));
    assertEquals(1, orphanedState.cells().size(), orphanedState::describe);
    assertEquals(2, orphanedState.locks().size(), orphanedState::describe);
  }

  @Test
  void shouldReportLocksOfCoordinatorStoppedBeforeUnlock() {
    OrphanedState orphanedState = wreckage(new StopPoint(StopPoint.Kind.FLUSHED, 2));
    assertEquals(List.of(), orphanedState.cells(), orphanedState::describe);
    assertEquals(2, orphanedState.locks().size(), orphanedState::describe);
  }

  /** Returns the verbs of the first round trip of a commit after which both cells are INVISIBLE. */
  private static int verbsUntilInvisible() {
    int verbs = 1;
    while (wreckage(new StopPoint(StopPoint.Kind.VERB, verbs)).cells().size() < 2) {
      verbs++;
    }
    while (wreckage(new StopPoint(StopPoint.Kind.VERB, verbs + 1)).cells().size() == 2) {
      verbs++;
    }
    return verbs;
  }
}
