package org.nelumbo.simulation.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.database.open.NodePool;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.redo.node.NodeLog;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A run of a pool on a memory node that keeps a log, with one seed. In each life of the memory node
 * compute nodes have the pool one after the other. They fail at any moment, and the next one
 * recovers their state. Then all nodes lose power at once, at any write, force, or change of names:
 * while the memory node starts, is used, or makes a checkpoint. Sometimes a force fails instead.
 *
 * <p>All actions and reads of clients form one history, as in {@link PowerLossRun}: an acknowledged
 * commit is there, no client has seen a lost write, and a write that a client has seen undone does
 * not reappear.
 */
public final class NodeLossRun extends LossRun {
  private static final int LIVES = 4;
  private static final int DEATHS = 2;
  private static final int CLIENTS = 4;
  private static final int TRANSACTIONS = 10;
  private static final int STEPS_OF_A_LIFE = 250;
  private static final long DEATH_NANOS = 8_000_000;
  private static final long LIMIT_NANOS = 60_000_000_000L;
  private static final long STEPS = 20_000_000;
  private static final long DIGEST_NANOS = 4_000_000;

  private final SimDisk disk;
  private final LivesWorkload workload;

  // State of the current life.
  private SimNode memoryNode;
  private SimFabric memory;
  private NodeLog log;
  private int deathsLeft;

  // State of the compute node that has the pool.
  private SimNode computeNode;
  private DurableFabric fabric;
  private LocalDatabase database;
  private int computeNodes;

  public NodeLossRun(SimWorld world, Totals totals) {
    super(world, totals, "power", LIMIT_NANOS, STEPS);
    this.disk = new SimDisk(world);
    this.workload = new LivesWorkload(world, CLIENTS, TRANSACTIONS);
  }

  @Override
  protected void run() {
    for (int life = 0; life < LIVES; life++) {
      begin(life);
      arm(disk, STEPS_OF_A_LIFE, () -> stopAllBut(null));
      deathsLeft = random.nextInt(DEATHS + 1);
      world.spawn(memoryNode, "start", this::live);
      world.run();
      memory.release();
    }
    disk.disarm();
    begin(LIVES);
    world.run(memoryNode, "start", this::startNode);
    SimNode last = world.addNode("last");
    world.run(last, "check", this::check);
    memory.release();
  }

  @Override
  protected void end() {
    count("transactions", workload.acknowledged());
  }

  private void begin(int life) {
    memoryNode = world.addNode("mn" + life);
    memory = newMemory(new SimMemory(), life);
    log = null;
    computeNode = null;
    fabric = null;
  }

  private void startNode() {
    Fabric own = memory.takeOver(memoryNode);
    NodeLog loaded = NodePool.open(memoryNode.environment(), disk, REDO, own, 2);
    try {
      loaded.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    log = loaded;
    count("started");
  }

  private void live() {
    try {
      startNode();
    } catch (RuntimeException e) {
      checkStartFailure(e);
      stopAllBut(world.current());
      return;
    }
    world.spawn(memoryNode, "digests", this::digest);
    startComputeNode();
  }

  private void stopAllBut(SimTask spared) {
    computeNode = null;
    world.stopAllBut(spared);
  }

  private void digest() {
    for (int i = 0; i < 2; i++) {
      pause(DIGEST_NANOS);
      log.digest();
    }
  }

  private void startComputeNode() {
    SimNode node = world.addNode("cn" + computeNodes++);
    computeNode = node;
    world.spawn(node, "life", this::work);
    if (deathsLeft > 0) {
      deathsLeft--;
      later(DEATH_NANOS, () -> die(node));
    }
  }

  /** Its verbs in flight arrive or not. Another compute node replaces it. */
  private void die(SimNode node) {
    if (node != computeNode) {
      return; // it has ended
    }
    world.tasksOf(node).forEach(memory::stop);
    startComputeNode();
  }

  private void open(SimNode node) {
    database =
        DatabaseOpener.attach(
            OPTIONS, node.environment(), node.name(), "pool", () -> takeOver(node));
    count("opened");
  }

  private Fabric takeOver(SimNode node) {
    Fabric attachment = memory.takeOver(node);
    if (fabric != null) {
      fabric.fence();
    }
    fabric = new DurableFabric(attachment, world, memoryNode, log);
    return new FailStopFabric(fabric);
  }

  private void work() {
    SimNode node = computeNode;
    try {
      open(node);
      workload.begin(database);
    } catch (RuntimeException e) {
      checkFailure(e);
      stopAllBut(world.current());
      return;
    }
    Users users = new Users(node, this::leave);
    workload.spawnClients(users, database, 0, CLIENTS);
    workload.spawnSchemaChanges(users, database);
  }

  /** Rethrows an exception unless a force has failed. */
  @Override
  void checkFailure(RuntimeException e) {
    if (!SchemaSteps.isLoss(e) || log.failure() == null) {
      throw e;
    }
  }

  private void leave() {
    computeNode = null;
    tolerate(database::close);
    if (random.nextInt(2) == 0) {
      world.spawn(memoryNode, "end", log::close);
    } else {
      stopAllBut(world.current());
    }
  }

  private void check() throws TransactionFailed {
    open(world.current().node());
    workload.check(database);
    database.close();
    log.close();
  }
}
