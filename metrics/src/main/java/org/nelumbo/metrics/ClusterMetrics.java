package org.nelumbo.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.nelumbo.database.DatabaseStatistics;
import org.nelumbo.executor.cluster.ClusterStatistics;

/**
 * Meters of a compute node in a shared pool: the members, the lock shards that it owns, and the
 * locations of the locks of its transactions.
 */
final class ClusterMetrics implements MeterBinder {
  private static final double NANOS = 1e9;

  private final Supplier<DatabaseStatistics> statistics;
  private final String database;

  ClusterMetrics(Supplier<DatabaseStatistics> statistics, String database) {
    this.statistics = statistics;
    this.database = database;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge("nelumbo.cluster.members", ClusterStatistics::members)
        .description("Compute nodes that share the pool, this one included")
        .register(registry);
    gauge("nelumbo.cluster.configuration", ClusterStatistics::version)
        .description(
            "Latest version of the cluster configuration known to this compute node; 0 if the"
                + " pool is exclusive")
        .register(registry);
    gauge("nelumbo.cluster.epoch", ClusterStatistics::epoch)
        .description("Epoch of the shard map; 0 if the pool is exclusive")
        .register(registry);
    shards(registry, "owned", ClusterStatistics::ownedShards);
    shards(registry, "ownerless", ClusterStatistics::ownerlessShards);
    counter("nelumbo.cluster.shards.moved", ClusterStatistics::movedShards)
        .description("Shards that this compute node has handed over to others")
        .register(registry);
    counter("nelumbo.cluster.recoveries", ClusterStatistics::recoveries)
        .description("Failed compute nodes that this one has recovered")
        .register(registry);
    locks(registry, "here", all -> all.locks().local());
    locks(registry, "elsewhere", all -> all.locks().remote());
    counter("nelumbo.cluster.lock.requests", all -> all.locks().requests())
        .description("Messages that requested locks owned by other compute nodes")
        .register(registry);
    gauge("nelumbo.cluster.grants", ClusterStatistics::grants)
        .description("Locks that transactions of other compute nodes hold here")
        .register(registry);
    gauge("nelumbo.cluster.silent.seconds", all -> all.silentNanos() / NANOS)
        .description(
            "Time since memory nodes last received anything from this compute node, at its"
                + " last check")
        .register(registry);
    gauge("nelumbo.cluster.lease.seconds", all -> all.leaseNanos() / NANOS)
        .description(
            "Time after which a compute node without heartbeats is declared failed; 0 if the"
                + " pool is exclusive")
        .register(registry);
  }

  private void shards(
      MeterRegistry registry, String state, ToDoubleFunction<ClusterStatistics> value) {
    gauge("nelumbo.cluster.shards", value)
        .tag("state", state)
        .description("Lock shards of this compute node, and shards without an owner")
        .register(registry);
  }

  private void locks(
      MeterRegistry registry, String kept, ToDoubleFunction<ClusterStatistics> value) {
    counter("nelumbo.cluster.locks", value)
        .tag("kept", kept)
        .description("Locks granted to transactions since the pool is shared")
        .register(registry);
  }

  private FunctionCounter.Builder<Supplier<DatabaseStatistics>> counter(
      String meter, ToDoubleFunction<ClusterStatistics> value) {
    return FunctionCounter.builder(
            meter, statistics, each -> value.applyAsDouble(each.get().cluster()))
        .tag("database", database);
  }

  private Gauge.Builder<Supplier<DatabaseStatistics>> gauge(
      String meter, ToDoubleFunction<ClusterStatistics> value) {
    return Gauge.builder(meter, statistics, each -> value.applyAsDouble(each.get().cluster()))
        .tag("database", database);
  }
}
