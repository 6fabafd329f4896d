package org.nelumbo.sim.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.txn.ConflictPolicy;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.sim.fabric.FabricModel;
import org.nelumbo.sim.fabric.SimFabric;
import org.nelumbo.sim.fault.FaultInjector;
import org.nelumbo.sim.fault.FaultPlan;
import org.nelumbo.sim.fault.StopPoint;
import org.nelumbo.sim.trace.Trace;
import org.nelumbo.sim.world.SimNode;
import org.nelumbo.sim.world.SimTask;
import org.nelumbo.sim.world.SimWorld;

/** What a stopped coordinator leaves behind is told exactly, whenever it stops in its commit. */
class WreckageTest {
  private static final ClusterOptions OPTIONS =
      new ClusterOptions(
          Api.NATIVE,
          ConflictPolicy.NO_WAIT,
          1_000_000,
          1,
          4 << 20,
          2,
          true,
          false,
          20,
          64,
          1_000_000_000L,
          0);

  private static Wreckage wreckage(StopPoint point) {
    Wreckage[] found = new Wreckage[1];
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
            Rows rows = cluster[0].newRows();
            rows.begin(Isolation.SERIALIZABLE, false);
            rows.insert(1, 1, 0, "a");
            rows.insert(2, 1, 0, "b");
            rows.commit();
            rows.close();
          });
      SimTask writer =
          world.spawn(
              node,
              "writer",
              () -> {
                Rows rows = cluster[0].newRows();
                rows.begin(Isolation.SERIALIZABLE, false);
                rows.update(1, 2, 0, "c");
                rows.update(2, 2, 0, "d");
                rows.commit();
                rows.begin(Isolation.SERIALIZABLE, false);
                rows.update(1, 3, 0, "e");
                rows.update(2, 3, 0, "f");
                faults.stopAt(world.current(), point);
                rows.commit();
              });
      world.run();
      assertTrue(writer.isStopped());
      world.run(node, "observer", () -> found[0] = Wreckage.of(cluster[0]));
    }
    return found[0];
  }

  @Test
  void shouldTellLocksOfACoordinatorThatStoppedBeforeItWrote() {
    Wreckage wreckage = wreckage(new StopPoint(StopPoint.Kind.POST, 1));
    assertEquals(2, wreckage.locks().size(), wreckage::describe);
    for (Wreckage.LeftLock each : wreckage.locks()) {
      assertEquals("cn0/writer", each.owner().name());
      assertEquals(LockTable.WRITE, each.lock().mode());
    }
    assertEquals(List.of(), wreckage.cells());
  }

  @Test
  void shouldTellCellsOfACoordinatorThatStoppedBeforeItsTimestamp() {
    Wreckage wreckage = wreckage(new StopPoint(StopPoint.Kind.FLUSHED, 1));
    assertEquals(2, wreckage.locks().size(), wreckage::describe);
    assertEquals(2, wreckage.cells().size(), wreckage::describe);
    for (Wreckage.LeftCell each : wreckage.cells()) {
      assertEquals("cn0/writer", each.owner().name());
    }
    assertTrue(wreckage.describe().contains("cn0/writer left INVISIBLE cvt 0:0x"));
  }

  @Test
  void shouldTellTheCellThatDidNotBecomeVisible() {
    int verbsBefore = verbsUntilInvisible();
    Wreckage wreckage = wreckage(new StopPoint(StopPoint.Kind.VERB, verbsBefore + 1));
    assertEquals(1, wreckage.cells().size(), wreckage::describe);
    assertEquals(2, wreckage.locks().size(), wreckage::describe);
  }

  @Test
  void shouldTellLocksOfACoordinatorThatCommittedAndDidNotUnlock() {
    Wreckage wreckage = wreckage(new StopPoint(StopPoint.Kind.FLUSHED, 2));
    assertEquals(List.of(), wreckage.cells(), wreckage::describe);
    assertEquals(2, wreckage.locks().size(), wreckage::describe);
  }

  /** Verbs of the first round trip of a commit: the largest number after which both cells wait. */
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
