package org.nelumbo.simulation.disk;

import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.run.FaultRun;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimWorld;

/** A run in which a database on simulated disks is lost and opened again. */
abstract class LossRun extends FaultRun {
  static final long POOL_BYTES = 8L << 20;
  static final int SEGMENT_BYTES = 5 * 4096;

  /** Redo options with small segments, so that a short life uses several. */
  static final RedoOptions REDO =
      RedoOptions.DEFAULT
          .withSegmentBytes(SEGMENT_BYTES)
          .withBufferBytes(RedoOptions.LEAST_BUFFER_BYTES);

  static final DatabaseOptions OPTIONS = DatabaseOptions.defaults().withMemoryBytes(POOL_BYTES);

  LossRun(SimWorld world, Totals totals, String stream, long nanos, long steps) {
    super(world, totals, stream, nanos, steps);
  }

  /** Rethrows an exception unless the faults of the run explain it. */
  abstract void checkFailure(RuntimeException e);

  final void tolerate(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      checkFailure(e);
    }
  }

  /** Rethrows an exception unless it is that of a memory node that cannot start. */
  static void checkStartFailure(RuntimeException e) {
    if (!(e instanceof PoolOpenException
        || e instanceof RedoFailedException
        || SchemaSteps.isLoss(e))) {
      throw e;
    }
  }

  /** Schedules a loss of power, or a failed force, after a random number of steps of a disk. */
  final void arm(SimDisk disk, int stepsMax, Runnable powerLoss) {
    boolean fails = random.nextInt(4) == 0;
    long steps = 1L + random.nextInt(stepsMax);
    disk.arm(fails ? -1 : steps, fails ? steps : -1, powerLoss);
  }

  final SimFabric newMemory(SimMemory memory, int number) {
    FabricModel model = FabricModel.preset(FabricModel.PRESETS.get(0));
    return new SimFabric(world, model, 1, POOL_BYTES, memory, "memory " + number);
  }

  static LocalDatabase openFiles(
      SimNode node, SimFabric memory, SimDisk disk, DatabaseOptions options) {
    return DatabaseOpener.openFiles(
        options.withLoaders(2),
        node.environment(),
        () -> disk,
        () -> new FailStopFabric(memory.takeOver(node)));
  }

  static void execute(LocalDatabase database, String sql) {
    try (Session session = database.connect(SessionOptions.defaults());
        var execution = session.newExecution(session.prepare(sql))) {
      execution.executeUpdate();
    }
  }

  /** Tasks of a node that use one database; the last one to end closes it. */
  final class Users {
    private final SimNode node;
    private final Runnable close;
    private int working;

    Users(SimNode node, Runnable close) {
      this.node = node;
      this.close = close;
    }

    void spawn(String name, Runnable work) {
      working++;
      world.spawn(
          node,
          name,
          () -> {
            tolerate(work);
            if (--working == 0) {
              close.run();
            }
          });
    }
  }
}
