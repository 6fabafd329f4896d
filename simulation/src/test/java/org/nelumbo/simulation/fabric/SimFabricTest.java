package org.nelumbo.simulation.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.simulation.fault.FaultInjector;
import org.nelumbo.simulation.fault.FaultPlan;
import org.nelumbo.simulation.fault.StopPoint;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimTaskBody;
import org.nelumbo.simulation.world.SimWorld;

/** Behaviour of the simulated fabric beyond the rules of all fabrics. */
@Timeout(60)
class SimFabricTest {
  private static final long BASE = PoolAddress.of(0, 8192);

  /** A world with two memory nodes, for one seed. */
  private static final class Pool implements AutoCloseable {
    final SimWorld world;
    final SimNode node;
    final SimFabric sim;
    final Fabric fabric;

    Pool(long seed, String preset) {
      world = new SimWorld(seed, Trace.hashing());
      node = world.addNode("cn0");
      sim = new SimFabric(world, FabricModel.preset(preset), 2, 1 << 20);
      fabric = sim.attach();
    }

    SimTask spawn(String name, SimTaskBody body) {
      return world.spawn(node, name, body);
    }

    long word(long address) {
      try (Channel channel = sim.attach().openChannel(64)) {
        channel.read(address, 0, 8);
        channel.flush();
        return channel.staging().get(ValueLayout.JAVA_LONG, 0);
      }
    }

    @Override
    public void close() {
      world.close();
      sim.release();
    }
  }

  @Test
  void shouldChargeOneRoundTripPerFlush() {
    try (Pool pool = new Pool(3, "lotus-56g")) {
      pool.spawn(
          "reader",
          () -> {
            Channel channel = pool.fabric.openChannel(1024);
            long start = pool.world.now();
            for (int i = 0; i < 10; i++) {
              channel.read(BASE + 64 * i, 8 * i, 8);
            }
            channel.flush();
            long took = pool.world.now() - start;
            assertTrue(took >= 2_000 && took < 5_000, "took=" + took);
          });
      pool.world.run();
    }
  }

  @Test
  void shouldBeSlowedDownByManyAtomics() {
    try (Pool pool = new Pool(3, "lotus-56g")) {
      pool.spawn(
          "adder",
          () -> {
            Channel channel = pool.fabric.openChannel(64);
            for (int i = 0; i < 1000; i++) {
              channel.fetchAndAdd(BASE, 1, 0);
            }
            channel.flush();
            assertTrue(pool.world.now() > 400_000, "2.5 M a second, now=" + pool.world.now());
          });
      pool.world.run();
      assertEquals(1000, pool.word(BASE));
      assertEquals(1000, pool.sim.atomics());
    }
  }

  @Test
  void shouldShowReadersHalfWrittenLines() {
    TreeSet<String> seen = new TreeSet<>();
    for (long seed = 0; seed < 400; seed++) {
      seen.add(readDuringWrite(seed));
    }
    assertTrue(seen.contains("old old") && seen.contains("new new"), seen::toString);
    assertTrue(seen.contains("new old") && seen.contains("old new"), seen::toString);
  }

  /**
   * Returns the first and the last word of two cache lines that another task overwrites at the same
   * time.
   */
  private static String readDuringWrite(long seed) {
    String[] seen = new String[1];
    try (Pool pool = new Pool(seed, "lotus-56g")) {
      pool.spawn(
          "writer",
          () -> {
            Channel channel = pool.fabric.openChannel(128);
            channel.staging().fill((byte) -1);
            channel.write(BASE, 0, 128);
            channel.flush();
          });
      pool.spawn(
          "reader",
          () -> {
            Channel channel = pool.fabric.openChannel(128);
            channel.read(BASE, 0, 128);
            channel.flush();
            seen[0] = word(channel, 0) + " " + word(channel, 120);
          });
      pool.world.run();
    }
    return seen[0];
  }

  private static String word(Channel channel, long offset) {
    return channel.staging().get(ValueLayout.JAVA_LONG, offset) == 0 ? "old" : "new";
  }

  @Test
  void shouldNotOrderVerbsAcrossNodes() {
    TreeSet<String> seen = new TreeSet<>();
    for (long seed = 0; seed < 200; seed++) {
      seen.add(readTwoNodesDuringWrites(seed));
    }
    assertEquals(4, seen.size(), seen::toString);
  }

  private static String readTwoNodesDuringWrites(long seed) {
    String[] seen = new String[1];
    long other = PoolAddress.of(1, 8192);
    try (Pool pool = new Pool(seed, "lotus-56g")) {
      pool.spawn(
          "writer",
          () -> {
            Channel channel = pool.fabric.openChannel(64);
            channel.writeLong(BASE, 1);
            channel.writeLong(other, 1);
            channel.flush();
          });
      pool.spawn(
          "reader",
          () -> {
            Channel channel = pool.fabric.openChannel(64);
            channel.read(BASE, 0, 8);
            channel.read(other, 8, 8);
            channel.flush();
            seen[0] = word(channel, 0) + " " + word(channel, 8);
          });
      pool.world.run();
    }
    return seen[0];
  }

  @Test
  void shouldFailFlushesToAStoppedNodeAndNameIt() {
    try (Pool pool = new Pool(1, "lotus-56g")) {
      pool.sim.stopNode(1);
      pool.spawn(
          "writer",
          () -> {
            Channel channel = pool.fabric.openChannel(64);
            channel.writeLong(BASE, 1);
            channel.flush();
            channel.writeLong(PoolAddress.of(1, 8192), 1);
            assertEquals(1, assertThrows(FabricException.class, channel::flush).node());
          });
      pool.world.run();
    }
  }

  @Test
  void shouldStopACoordinatorAfterEveryVerbExactly() {
    for (int verbs = 1; verbs <= 6; verbs++) {
      try (Pool pool = new Pool(verbs, "lotus-56g")) {
        FaultInjector faults = new FaultInjector(pool.sim, FaultPlan.NONE);
        SimTask writer = pool.spawn("writer", () -> writeSix(pool));
        faults.stopAt(writer, new StopPoint(StopPoint.Kind.VERB, verbs));
        pool.world.run();
        assertTrue(writer.isStopped());
        assertEquals(verbs, written(pool), "verbs that took effect");
        assertEquals(1, faults.counts().stops());
      }
    }
  }

  /** Runs two flushes of three verbs each to one node. */
  private static void writeSix(Pool pool) {
    Channel channel = pool.fabric.openChannel(64);
    for (int i = 0; i < 6; i++) {
      channel.writeLong(BASE + 8 * i, 1);
      if (i % 3 == 2) {
        channel.flush();
      }
    }
  }

  private static int written(Pool pool) {
    int count = 0;
    for (int i = 0; i < 6; i++) {
      count += (int) pool.word(BASE + 8 * i);
    }
    return count;
  }

  @Test
  void shouldLandAnyNumberOfAStoppedCoordinatorsVerbsInOrderAndLate() {
    TreeSet<Integer> landed = new TreeSet<>();
    boolean late = false;
    for (long seed = 0; seed < 60; seed++) {
      try (Pool pool = new Pool(seed, "lotus-56g")) {
        FaultInjector faults = new FaultInjector(pool.sim, FaultPlan.NONE);
        SimTask writer = pool.spawn("writer", () -> writeSix(pool));
        faults.stopAt(writer, new StopPoint(StopPoint.Kind.FLUSH, 2));
        pool.world.run();
        int soon = written(pool);
        pool.spawn("observer", () -> pool.world.sleepUntil(pool.world.now() + 10_000_000));
        pool.world.run();
        int finallyThere = written(pool);
        late |= finallyThere > soon;
        for (int i = 0; i < finallyThere; i++) {
          assertEquals(1, pool.word(BASE + 8 * i), "in order");
        }
        landed.add(finallyThere);
      }
    }
    assertEquals(new TreeSet<>(java.util.List.of(3, 4, 5, 6)), landed);
    assertTrue(late, "no verb flew on after its coordinator had stopped");
  }

  @Test
  void shouldLoseVerbsOfAFailedFlush() {
    int failures = 0;
    TreeSet<Integer> done = new TreeSet<>();
    FaultPlan plan = lossy();
    for (long seed = 0; seed < 100; seed++) {
      try (Pool pool = new Pool(seed, "lotus-56g")) {
        new FaultInjector(pool.sim, plan).start();
        boolean[] failed = new boolean[1];
        pool.spawn("writer", () -> failed[0] = !writeThree(pool));
        pool.world.run();
        failures += failed[0] ? 1 : 0;
        if (failed[0]) {
          pool.sim.setFaults(FaultHooks.NONE);
          done.add(written(pool));
        }
      }
    }
    assertTrue(failures > 10 && failures < 90, "failures=" + failures);
    assertEquals(new TreeSet<>(java.util.List.of(0, 1, 2)), done);
  }

  private static boolean writeThree(Pool pool) {
    Channel channel = pool.fabric.openChannel(64);
    for (int i = 0; i < 3; i++) {
      channel.writeLong(BASE + 8 * i, 1);
    }
    try {
      channel.flush();
      return true;
    } catch (FabricException e) {
      return false;
    }
  }

  private static FaultPlan lossy() {
    FaultPlan none = FaultPlan.NONE;
    return new FaultPlan(
        0, 0, 0, false, 0.2, 0, 0, false, 0, 0, none.stopKind(), 0, 1, 0, 0, "", 0, 0, 0, 0);
  }
}
