package org.nelumbo.simulation.disk;

import java.util.ArrayList;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.planner.DatabaseOptions;
import org.nelumbo.planner.open.DatabaseOpener;
import org.nelumbo.planner.open.LocalDatabase;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.protocol.ProtocolRun;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A database in files, with one seed, that loses power again and again: at any write, force, or
 * change of names; while it is made, opened, used, or writes a checkpoint. Sometimes a force fails
 * instead. Each time it is opened from what the disk has kept.
 *
 * <p>All that clients have done and seen in all of its lives is one history, which the checker of
 * isolation levels judges: a commit that was acknowledged is there, what was refused is not, and
 * nobody has seen what was lost. Beside that tables are made, filled, emptied and dropped ({@link
 * SchemaSteps}).
 */
public final class PowerLossRun extends ProtocolRun {
  /** By this name it is asked for where scenarios are. */
  public static final String NAME = "power-loss";

  private static final long POOL_BYTES = 8L << 20;
  private static final int SEGMENT_BYTES = 5 * 4096;
  private static final int LIVES = 4;
  private static final int CLIENTS = 4;
  private static final int TRANSACTIONS = 12;
  private static final int STEPS_OF_A_LIFE = 200;
  private static final long LIMIT_NANOS = 60_000_000_000L;
  private static final long STEPS = 20_000_000;
  private static final long CHECKPOINT_NANOS = 3_000_000;

  private long opened;
  private long transactions;

  @Override
  protected SeedRun begin(SimWorld world) {
    world.setLimits(LIMIT_NANOS, STEPS);
    return new One(world);
  }

  @Override
  public String totals() {
    return "opened=" + opened + " transactions=" + transactions;
  }

  /** What belongs to one run. */
  private final class One implements SeedRun {
    private final SimWorld world;
    private final SimDisk disk;
    private final SimRandom random;
    private final LivesWorkload workload;
    private LocalDatabase database;
    private int working;
    private int timesOpened;

    One(SimWorld world) {
      this.world = world;
      this.disk = new SimDisk(world);
      this.random = world.random("power");
      this.workload = new LivesWorkload(world, CLIENTS, TRANSACTIONS);
    }

    @Override
    public void run() {
      for (int life = 0; life < LIVES; life++) {
        SimNode node = world.addNode("cn" + life);
        SimFabric memory = memory(life);
        boolean fails = random.nextInt(4) == 0;
        long steps = 1L + random.nextInt(STEPS_OF_A_LIFE);
        disk.arm(fails ? -1 : steps, fails ? steps : -1, () -> stop(node));
        world.spawn(node, "life", () -> live(node, memory));
        world.run();
        memory.release();
      }
      disk.arm(-1, -1, () -> {});
      SimNode last = world.addNode("last");
      SimFabric memory = memory(LIVES);
      world.run(last, "check", () -> check(last, memory));
      memory.release();
    }

    @Override
    public void count() {
      opened += timesOpened;
      transactions += workload.acknowledged();
    }

    private SimFabric memory(int life) {
      FabricModel model = FabricModel.preset(FabricModel.PRESETS.get(0));
      return new SimFabric(world, model, 1, POOL_BYTES, new SimMemory(), "memory " + life);
    }

    /** The power is lost: nobody on the node takes another step. */
    private void stop(SimNode node) {
      for (SimTask task : new ArrayList<>(world.tasks())) {
        if (task.node() == node) {
          world.stop(task);
        }
      }
    }

    private void open(SimNode node, SimFabric memory) {
      RedoOptions redo =
          RedoOptions.DEFAULT
              .withSegmentBytes(SEGMENT_BYTES)
              .withBufferBytes(RedoOptions.LEAST_BUFFER_BYTES);
      database =
          DatabaseOpener.openFiles(
              DatabaseOptions.defaults().withMemoryBytes(POOL_BYTES).withRedo(redo).withLoaders(2),
              node.environment(),
              () -> disk,
              () -> new FailStopFabric(memory.takeOver(node)));
      timesOpened++;
    }

    /** Opens the database, and has clients and others use it, unless a force fails on the way. */
    private void live(SimNode node, SimFabric memory) {
      try {
        open(node, memory);
        workload.begin(database);
      } catch (RuntimeException e) {
        failed(e);
        return;
      }
      working = CLIENTS + 2;
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        world.spawn(node, "client-" + i, () -> ended(() -> workload.transact(database, client)));
      }
      world.spawn(node, "schema", () -> ended(() -> workload.changeSchema(database)));
      world.spawn(node, "checkpoints", () -> ended(this::writeCheckpoints));
    }

    /** What the database says when a force has failed; anything else is a bug. */
    private static void failed(RuntimeException e) {
      if (!SchemaSteps.isLoss(e)) {
        throw e;
      }
    }

    /** The last who uses the database closes it, in order or as it is. */
    private void ended(Runnable work) {
      try {
        work.run();
      } catch (RuntimeException e) {
        failed(e);
      }
      if (--working == 0) {
        try {
          database.close();
        } catch (RuntimeException e) {
          failed(e);
        }
      }
    }

    private void writeCheckpoints() {
      for (int i = 0; i < 2; i++) {
        world.sleepUntil(world.now() + 1 + random.nextLong(CHECKPOINT_NANOS));
        database.checkpoint();
      }
    }

    private void check(SimNode node, SimFabric memory) throws TransactionFailed {
      open(node, memory);
      workload.check(database);
      database.close();
    }
  }
}
