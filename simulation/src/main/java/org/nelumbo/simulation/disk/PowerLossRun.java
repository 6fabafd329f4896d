package org.nelumbo.simulation.disk;

import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A run of a database in files, with one seed, that loses power again and again, at any write,
 * force, or change of names: while it is created, opened, used, or writes a checkpoint. Sometimes a
 * force fails instead. Each time it is opened from the remaining content of the disk.
 *
 * <p>All actions and reads of clients in all lives form one history, which the checker of isolation
 * levels judges: an acknowledged commit is there, a refused one is not, and no client has seen a
 * lost write. Concurrently tables are created, filled, emptied and dropped ({@link SchemaSteps}).
 */
public final class PowerLossRun extends LossRun {
  private static final int LIVES = 4;
  private static final int CLIENTS = 4;
  private static final int TRANSACTIONS = 12;
  private static final int STEPS_OF_A_LIFE = 200;
  private static final long LIMIT_NANOS = 60_000_000_000L;
  private static final long STEPS = 20_000_000;
  private static final long CHECKPOINT_NANOS = 3_000_000;

  private final SimDisk disk;
  private final LivesWorkload workload;
  private LocalDatabase database;

  public PowerLossRun(SimWorld world, Totals totals) {
    super(world, totals, "power", LIMIT_NANOS, STEPS);
    this.disk = new SimDisk(world);
    this.workload = new LivesWorkload(world, CLIENTS, TRANSACTIONS);
  }

  @Override
  protected void run() {
    for (int life = 0; life < LIVES; life++) {
      SimNode node = world.addNode("cn" + life);
      SimFabric memory = newMemory(new SimMemory(), life);
      arm(disk, STEPS_OF_A_LIFE, () -> stop(node));
      world.spawn(node, "life", () -> live(node, memory));
      world.run();
      memory.release();
    }
    disk.disarm();
    SimNode last = world.addNode("last");
    SimFabric memory = newMemory(new SimMemory(), LIVES);
    world.run(last, "check", () -> check(last, memory));
    memory.release();
  }

  @Override
  protected void end() {
    count("transactions", workload.acknowledged());
  }

  private void open(SimNode node, SimFabric memory) {
    database = openFiles(node, memory, disk, OPTIONS.withRedo(REDO));
    count("opened");
  }

  private void live(SimNode node, SimFabric memory) {
    try {
      open(node, memory);
      workload.begin(database);
    } catch (RuntimeException e) {
      checkFailure(e);
      return;
    }
    Users users = new Users(node, () -> tolerate(database::close));
    workload.spawnClients(users, database, 0, CLIENTS);
    workload.spawnSchemaChanges(users, database);
    users.spawn("checkpoints", this::writeCheckpoints);
  }

  @Override
  void checkFailure(RuntimeException e) {
    if (!SchemaSteps.isLoss(e)) {
      throw e;
    }
  }

  private void writeCheckpoints() {
    for (int i = 0; i < 2; i++) {
      pause(CHECKPOINT_NANOS);
      database.checkpoint();
    }
  }

  private void check(SimNode node, SimFabric memory) throws TransactionFailed {
    open(node, memory);
    workload.check(database);
    database.close();
  }
}
