package org.nelumbo.simulation.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.planner.DatabaseOptions;
import org.nelumbo.planner.open.DatabaseOpener;
import org.nelumbo.planner.open.LocalDatabase;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.protocol.ProtocolRun;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A pool with three copies on memory nodes that keep logs, with one seed. Compute nodes have it,
 * one after the other; they die at any moment, and so do memory nodes: one, or all at once, at any
 * write, force or change of names, while they start, are used, filled, given a log, or make
 * checkpoints. Those that died come back with their logs, sooner or later; others cannot be reached
 * for a moment, and come back with their memory, too.
 *
 * <p>All that clients have done and seen is one history: a commit that was acknowledged is there,
 * nobody has seen what was lost, and what somebody has seen to be undone does not come back.
 */
public final class CopiesLossRun extends ProtocolRun {
  /** By this name it is asked for where scenarios are. */
  public static final String NAME = "durable-copies";

  /** Name of such runs with memory that outlives processes. */
  public static final String LEFT_MEMORY_NAME = "left-memory";

  private static final long POOL_BYTES = 8L << 20;
  private static final int LIVES = 3;
  private static final int COMPUTE_NODES = 4;
  private static final int CLIENTS = 3;
  private static final int TRANSACTIONS = 8;
  private static final int STEPS_OF_A_LIFE = 400;
  private static final long AWAY_NANOS = 6_000_000;
  private static final long DEATH_NANOS = 12_000_000;
  private static final int BLIPS = 2;
  private static final long BLIP_NANOS = 3_000_000;
  private static final int DIGESTS = 3;
  private static final long DIGEST_NANOS = 4_000_000;
  private static final long RETRY_NANOS = 500_000;
  private static final int RETRIES = 400;
  private static final long LIMIT_NANOS = 120_000_000_000L;
  private static final long STEPS = 40_000_000;

  private final boolean leavesMemory;
  private long started;
  private long opened;
  private long transactions;

  /**
   * Such runs.
   *
   * @param leavesMemory whether memory nodes that die may leave their memory to the next process
   */
  public CopiesLossRun(boolean leavesMemory) {
    this.leavesMemory = leavesMemory;
  }

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
    private final DurableNodes nodes;
    private final SimRandom random;
    private final SimRandom blips;
    private final LivesWorkload workload;

    // Of the life.
    private boolean isOver;
    private int computeNodesLeft;
    private int livesBegun;

    /** Of each node: changes when it is to be started at another time. */
    private final int[] lives = new int[DurableNodes.NODES];

    // Of the compute node that has the pool.
    private SimNode computeNode;
    private ReplicatedFabric fabric;
    private LocalDatabase database;
    private int working;
    private int computeNodes;
    private int timesStarted;
    private int timesOpened;

    One(SimWorld world) {
      this.world = world;
      this.nodes = new DurableNodes(world, leavesMemory);
      this.random = world.random("power");
      this.blips = world.random("blips");
      this.workload = new LivesWorkload(world, CLIENTS, TRANSACTIONS);
    }

    @Override
    public void run() {
      for (int life = 0; life < LIVES; life++) {
        isOver = false;
        livesBegun++;
        computeNodesLeft = COMPUTE_NODES;
        for (int node = 0; node < DurableNodes.NODES; node++) {
          arm(node);
          start(node);
        }
        startComputeNode();
        for (int i = 0; i < BLIPS; i++) {
          int ofLife = livesBegun;
          world.at(world.now() + 1 + blips.nextLong(DEATH_NANOS), () -> blip(ofLife));
        }
        world.run();
      }
      isOver = false;
      livesBegun++;
      computeNodesLeft = 0;
      for (int node = 0; node < DurableNodes.NODES; node++) {
        nodes.disk(node).arm(-1, -1, () -> {});
        start(node);
      }
      world.spawn(world.addNode("last"), "check", this::check);
      world.run();
      nodes.replicas().release();
    }

    @Override
    public void count() {
      started += timesStarted;
      opened += timesOpened;
      transactions += workload.acknowledged();
    }

    /** Has a disk lose power, or fail, after some steps. */
    private void arm(int node) {
      boolean fails = random.nextInt(5) == 0;
      long steps = 1L + random.nextInt(STEPS_OF_A_LIFE);
      boolean isAll = random.nextInt(3) == 0;
      nodes
          .disk(node)
          .arm(fails ? -1 : steps, fails ? steps : -1, () -> cut(isAll ? -1 : node, node));
    }

    /** The power of a node has gone, or that of all. */
    private void cut(int only, int first) {
      if (only >= 0) {
        nodes.die(only, null);
        comeBack(only);
        return;
      }
      for (int node = 0; node < DurableNodes.NODES; node++) {
        if (node != first) {
          nodes.disk(node).cut();
        }
      }
      endLife(null);
    }

    /** A node that is away comes back after some time. */
    private void comeBack(int node) {
      int life = ++lives[node];
      world.at(world.now() + 1 + random.nextLong(AWAY_NANOS), () -> comeBack(node, life));
    }

    private void comeBack(int node, int life) {
      if (!isOver && life == lives[node]) {
        nodes.disk(node).arm(-1, -1, () -> {});
        start(node);
      }
    }

    /** A node that cannot be reached for a moment, and has its memory and its log then. */
    private void blip(int ofLife) {
      int node = blips.nextInt(DurableNodes.NODES);
      int life = lives[node];
      if (ofLife == livesBegun && !isOver && nodes.isStarted(node)) {
        nodes.replicas().stopNode(node);
        world.at(world.now() + 1 + blips.nextLong(BLIP_NANOS), () -> endBlip(node, life));
      }
    }

    private void endBlip(int node, int life) {
      if (!isOver && life == lives[node] && nodes.isStarted(node)) {
        nodes.replicas().restartNode(node);
      }
    }

    /** All tasks end, but for one that is at its end. */
    private void endLife(SimTask spared) {
      isOver = true;
      computeNode = null;
      for (int node = 0; node < DurableNodes.NODES; node++) {
        nodes.die(node, spared);
        nodes.disk(node).arm(-1, -1, () -> {});
      }
      for (SimTask task : new ArrayList<>(world.tasks())) {
        if (task != spared) {
          world.stop(task);
        }
      }
    }

    private void start(int node) {
      lives[node]++;
      world.spawn(nodes.newProcess(node), "start", () -> live(node));
    }

    private void live(int node) {
      try {
        nodes.start(node);
        timesStarted++;
      } catch (RuntimeException e) {
        if (!(e instanceof PoolOpenException
            || e instanceof RedoFailedException
            || SchemaSteps.isLoss(e))) {
          throw e;
        }
        nodes.die(node, world.current());
        comeBack(node);
        return;
      }
      for (int i = 0; !isOver; i++) {
        boolean isDigested = i < DIGESTS;
        world.sleepUntil(
            world.now() + 1 + (isDigested ? random.nextLong(DIGEST_NANOS) : DIGEST_NANOS));
        if (nodes.hasFailed(node)) {
          nodes.die(node, world.current());
          comeBack(node);
          return;
        }
        if (isDigested) {
          nodes.digest(node);
        }
      }
    }

    private void startComputeNode() {
      if (isOver) {
        return;
      }
      if (computeNodesLeft == 0) {
        endLife(world.current());
        return;
      }
      computeNodesLeft--;
      SimNode node = world.addNode("cn" + computeNodes++);
      computeNode = node;
      world.spawn(node, "life", this::work);
      if (random.nextInt(2) == 0) {
        world.at(world.now() + 1 + random.nextLong(DEATH_NANOS), () -> die(node));
      }
    }

    /** A compute node dies; what it has sent arrives, or not. Another takes its place. */
    private void die(SimNode node) {
      if (node != computeNode || computeNodesLeft == 0) {
        return; // it is gone, or the last one
      }
      for (SimTask task : new ArrayList<>(world.tasks())) {
        if (task.node() == node && task.isAlive()) {
          nodes.replicas().stop(task);
        }
      }
      startComputeNode();
    }

    /** Opens the pool, when enough memory nodes are there. */
    private LocalDatabase open(SimNode node) {
      for (int attempt = 0; ; attempt++) {
        try {
          LocalDatabase found =
              DatabaseOpener.attach(
                  DatabaseOptions.defaults().withMemoryBytes(POOL_BYTES),
                  node.environment(),
                  node.name(),
                  "pool",
                  () -> takeOver(node));
          timesOpened++;
          return found;
        } catch (RuntimeException e) {
          if (attempt == RETRIES || !SchemaSteps.isLoss(e)) {
            throw e;
          }
        }
        world.sleepUntil(world.now() + RETRY_NANOS);
      }
    }

    private Fabric takeOver(SimNode node) {
      fabric = (ReplicatedFabric) nodes.replicas().takeOver(node);
      return new FailStopFabric(fabric);
    }

    private void work() {
      SimNode node = computeNode;
      try {
        database = open(node);
        compareLogs();
        workload.begin(database);
      } catch (RuntimeException e) {
        failed(e);
        startComputeNode();
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

    /** What is said when too many memory nodes have failed; anything else is a bug. */
    private void failed(RuntimeException e) {
      if (!SchemaSteps.isLoss(e)) {
        throw e;
      }
    }

    /** The last who uses the pool leaves it; then somebody else has it, or everything stops. */
    private void ended(Runnable work) {
      try {
        work.run();
      } catch (RuntimeException e) {
        failed(e);
      }
      if (--working == 0) {
        computeNode = null;
        try {
          compareLogs();
          database.close();
        } catch (RuntimeException e) {
          failed(e);
        }
        startComputeNode();
      }
    }

    private void compareLogs() {
      try {
        nodes.compareLogs(fabric.replicationStatus().lost() ? 0 : fabric.liveNodes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void check() throws TransactionFailed {
      LocalDatabase last = open(world.current().node());
      nodes.replicas().awaitWhole();
      compareLogs();
      workload.check(last);
      last.close();
      endLife(world.current());
    }
  }
}
