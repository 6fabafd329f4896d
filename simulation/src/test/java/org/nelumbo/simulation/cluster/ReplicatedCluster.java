package org.nelumbo.simulation.cluster;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolOwner;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.recovery.PoolRecovery;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.simulation.world.SimNode;

/** The engine with table T on a fabric of the caller. Only simulated threads may call it. */
public final class ReplicatedCluster {
  private final ClusterOptions options;
  private final Engine engine;
  private final TableStore table;

  private ReplicatedCluster(ClusterOptions options, Engine engine, TableStore table) {
    this.options = options;
    this.engine = engine;
    this.table = table;
  }

  /** Formats the pool and creates the table. */
  public static ReplicatedCluster open(SimNode node, Fabric fabric, ClusterOptions options) {
    Environment environment = node.environment();
    Fabric attached = new FailStopFabric(fabric);
    PoolFormat.format(attached, environment.randomLong());
    Engine engine = new Engine(environment, attached, engineOptions(options));
    engine.start();
    return new ReplicatedCluster(options, engine, RowTable.create(engine, options));
  }

  private static EngineOptions engineOptions(ClusterOptions options) {
    return EngineOptions.DEFAULT
        .withMemoryBytes(options.nodeBytes())
        .withLockBuckets(options.lockBuckets())
        .withConflictPolicy(options.policy())
        .withLockTimeoutNanos(options.lockTimeout())
        .withSnapshotRetentionNanos(options.retention())
        .withRecordCacheBytes(options.recordCacheBytes());
  }

  /** Takes the pool over and recovers it at another compute node. */
  public ReplicatedCluster attach(SimNode node, Fabric fabric) {
    Environment environment = node.environment();
    Fabric attached = new FailStopFabric(fabric);
    PoolOwner.take(attached, node.name(), environment.epochMicros());
    Engine other = new Engine(environment, attached, engineOptions(options));
    PoolRecovery recovery = new PoolRecovery(other);
    TableStore recovered = RowTable.open(other, table, options);
    recovery.recover(recovered);
    recovery.finish();
    other.start();
    return new ReplicatedCluster(options, other, recovered);
  }

  /**
   * Checks that every index is intact and that all of them agree. No transaction may be open.
   *
   * @throws Violation with the violated condition
   */
  public void verify() {
    QuiescenceCheck.checkTable(engine, table);
  }

  /** Opens a session of another client; the caller closes it. */
  public ClusterSession newSession() {
    return new LossTrackingSession(
        new NativeClusterSession(
            engine.openCoordinator(), table, new SnapshotAge(() -> 0, 0), false));
  }
}
