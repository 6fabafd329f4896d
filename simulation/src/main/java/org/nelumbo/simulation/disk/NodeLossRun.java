package org.nelumbo.simulation.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.NodeLog;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.planner.DatabaseOptions;
import org.nelumbo.planner.open.DatabaseOpener;
import org.nelumbo.planner.open.LocalDatabase;
import org.nelumbo.planner.open.NodePool;
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
 * A pool on a memory node that keeps a log, with one seed. In each life of the memory node compute
 * nodes have the pool, one after the other: they die at any moment, and the next one recovers what
 * they have left. Then power is lost, of all at once: at any write, force, or change of names;
 * while the node starts, is used, or makes a checkpoint. Sometimes a force fails instead.
 *
 * <p>All that clients have done and seen is one history, as with {@link PowerLossRun}: a commit
 * that was acknowledged is there, nobody has seen what was lost, and what somebody has seen to be
 * undone does not come back.
 */
public final class NodeLossRun extends ProtocolRun {
  /** By this name it is asked for where scenarios are. */
  public static final String NAME = "durable-node";

  private static final long POOL_BYTES = 8L << 20;
  private static final int SEGMENT_BYTES = 5 * 4096;
  private static final int LIVES = 4;
  private static final int DEATHS = 2;
  private static final int CLIENTS = 4;
  private static final int TRANSACTIONS = 10;
  private static final int STEPS_OF_A_LIFE = 250;
  private static final long DEATH_NANOS = 8_000_000;
  private static final long LIMIT_NANOS = 60_000_000_000L;
  private static final long STEPS = 20_000_000;
  private static final long DIGEST_NANOS = 4_000_000;

  private long started;
  private long opened;
  private long transactions;

  @Override
  protected SeedRun begin(SimWorld world) {
    world.setLimits(LIMIT_NANOS, STEPS);
    return new One(world);
  }

  @Override
  public String totals() {
    return "started=" + started + " opened=" + opened + " transactions=" + transactions;
  }

  /** What belongs to one run. */
  private final class One implements SeedRun {
    private final SimWorld world;
    private final SimDisk disk;
    private final SimRandom random;
    private final LivesWorkload workload;

    // Of the life.
    private SimNode memoryNode;
    private SimFabric memory;
    private NodeLog log;
    private int deathsLeft;

    // Of the compute node that has the pool.
    private SimNode computeNode;
    private DurableFabric fabric;
    private LocalDatabase database;
    private int working;
    private int computeNodes;
    private int timesStarted;
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
        begin(life);
        boolean fails = random.nextInt(4) == 0;
        long steps = 1L + random.nextInt(STEPS_OF_A_LIFE);
        disk.arm(fails ? -1 : steps, fails ? steps : -1, this::stopAll);
        deathsLeft = random.nextInt(DEATHS + 1);
        world.spawn(memoryNode, "start", this::live);
        world.run();
        memory.release();
      }
      disk.arm(-1, -1, () -> {});
      begin(LIVES);
      world.run(memoryNode, "start", this::startNode);
      SimNode last = world.addNode("last");
      world.run(last, "check", this::check);
      memory.release();
    }

    @Override
    public void count() {
      started += timesStarted;
      opened += timesOpened;
      transactions += workload.acknowledged();
    }

    /** A memory node, with nothing in its memory. */
    private void begin(int life) {
      memoryNode = world.addNode("mn" + life);
      FabricModel model = FabricModel.preset(FabricModel.PRESETS.get(0));
      memory = new SimFabric(world, model, 1, POOL_BYTES, new SimMemory(), "memory " + life);
      log = null;
      computeNode = null;
      fabric = null;
      working = 0;
    }

    /** The power is lost: nobody takes another step. */
    private void stopAll() {
      stopAllBut(null);
    }

    private void startNode() {
      RedoOptions options =
          RedoOptions.DEFAULT
              .withSegmentBytes(SEGMENT_BYTES)
              .withBufferBytes(RedoOptions.LEAST_BUFFER_BYTES);
      Fabric own = memory.takeOver(memoryNode);
      NodeLog loaded = NodePool.open(memoryNode.environment(), disk, options, own, 2);
      try {
        loaded.start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      log = loaded;
      timesStarted++;
    }

    /** Starts the memory node and a compute node, unless a force fails on the way. */
    private void live() {
      try {
        startNode();
      } catch (RuntimeException e) {
        if (!(e instanceof PoolOpenException
            || e instanceof RedoFailedException
            || SchemaSteps.isLoss(e))) {
          throw e;
        }
        stopAllBut(world.current());
        return;
      }
      world.spawn(memoryNode, "digests", this::digest);
      startComputeNode();
    }

    private void stopAllBut(SimTask spared) {
      computeNode = null;
      for (SimTask task : new ArrayList<>(world.tasks())) {
        if (task != spared) {
          world.stop(task);
        }
      }
    }

    private void digest() {
      for (int i = 0; i < 2; i++) {
        world.sleepUntil(world.now() + 1 + random.nextLong(DIGEST_NANOS));
        log.digest();
      }
    }

    private void startComputeNode() {
      SimNode node = world.addNode("cn" + computeNodes++);
      computeNode = node;
      world.spawn(node, "life", this::work);
      if (deathsLeft > 0) {
        deathsLeft--;
        world.at(world.now() + 1 + random.nextLong(DEATH_NANOS), () -> die(node));
      }
    }

    /** A compute node dies; what it has sent arrives, or not. Another takes its place. */
    private void die(SimNode node) {
      if (node != computeNode) {
        return; // it is gone
      }
      for (SimTask task : new ArrayList<>(world.tasks())) {
        if (task.node() == node && task.isAlive()) {
          memory.stop(task);
        }
      }
      startComputeNode();
    }

    private void open(SimNode node) {
      database =
          DatabaseOpener.attach(
              DatabaseOptions.defaults().withMemoryBytes(POOL_BYTES),
              node.environment(),
              node.name(),
              "pool",
              () -> takeOver(node));
      timesOpened++;
    }

    private Fabric takeOver(SimNode node) {
      Fabric attachment = memory.takeOver(node);
      if (fabric != null) {
        fabric.fence();
      }
      fabric = new DurableFabric(attachment, world, memoryNode, log);
      return new FailStopFabric(fabric);
    }

    /** Opens the pool, and has clients and others use it, unless a force fails on the way. */
    private void work() {
      SimNode node = computeNode;
      try {
        open(node);
        workload.begin(database);
      } catch (RuntimeException e) {
        failed(e);
        stopAllBut(world.current());
        return;
      }
      working = CLIENTS + 1;
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        LocalDatabase mine = database;
        world.spawn(node, "client-" + i, () -> ended(() -> workload.transact(mine, client)));
      }
      world.spawn(node, "schema", () -> ended(() -> workload.changeSchema(database)));
    }

    /** What is said when a force has failed; anything else is a bug. */
    private void failed(RuntimeException e) {
      if (!SchemaSteps.isLoss(e) || log.failure() == null) {
        throw e;
      }
    }

    /** The last who uses the pool leaves it, and the memory node ends in order. */
    private void ended(Runnable work) {
      try {
        work.run();
      } catch (RuntimeException e) {
        failed(e);
      }
      if (--working == 0) {
        computeNode = null;
        try {
          database.close();
        } catch (RuntimeException e) {
          failed(e);
        }
        if (random.nextInt(2) == 0) {
          world.spawn(memoryNode, "end", log::close);
        } else {
          stopAllBut(world.current());
        }
      }
    }

    private void check() throws TransactionFailed {
      open(world.current().node());
      workload.check(database);
      database.close();
      log.close();
    }
  }
}
