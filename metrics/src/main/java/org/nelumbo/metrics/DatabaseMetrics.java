package org.nelumbo.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import javax.sql.DataSource;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseStatistics;
import org.nelumbo.dm.pool.ReplicationStatus;
import org.nelumbo.executor.cache.CacheCounts;
import org.nelumbo.executor.limit.MemoryBudget;
import org.nelumbo.executor.txn.TransactionCounts;

/**
 * Meters of the work of this process on a database: {@code new
 * DatabaseMetrics(database).bindTo(registry)}. They only read existing counters, and the registry
 * does not keep the database alive. If the database is lost or shut down, and reopened by this
 * process, the meters continue with the new one, whose counters start at zero.
 */
public final class DatabaseMetrics implements MeterBinder {
  private static final String DATABASE = "database";

  private final Supplier<DatabaseStatistics> place;
  private final String name;
  private final List<ReplicationStatus.Node> nodes;
  private final Set<String> threads;
  private final int copiesMax;

  public DatabaseMetrics(Database database) {
    this.place = database.statisticsSource();
    this.name = database.options().name();
    this.nodes = database.statistics().replicationStatus().nodes();
    this.copiesMax = database.statistics().replicationStatus().copies();
    this.threads = database.statistics().threadFailures().keySet();
  }

  private static double read(
      Supplier<DatabaseStatistics> place, ToDoubleFunction<DatabaseStatistics> value) {
    return value.applyAsDouble(place.get());
  }

  /**
   * Creates the meters of the database behind a data source, or behind a connection pool around it.
   */
  public static DatabaseMetrics of(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return new DatabaseMetrics(connection.unwrap(Database.class));
    }
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    bindSessions(registry);
    bindTransactions(registry);
    bindMemory(registry);
    bindQueryMemory(registry);
    bindTraffic(registry);
    bindReplication(registry);
    bindThreads(registry);
    new PlanMetrics(place, name).bindTo(registry);
    new WorkloadMetrics(place, name).bindTo(registry);
    new ClusterMetrics(place, name).bindTo(registry);
    bindCache(registry, "cvts", DatabaseStatistics.Caches::cvts);
    bindCache(registry, "addresses", DatabaseStatistics.Caches::addresses);
    bindCache(registry, "records", DatabaseStatistics.Caches::records);
  }

  private void bindCache(
      MeterRegistry registry,
      String cache,
      Function<DatabaseStatistics.Caches, CacheCounts> counts) {
    gets(registry, cache, "hit", all -> counts.apply(all.caches()).hits());
    gets(registry, cache, "miss", all -> counts.apply(all.caches()).misses());
    cacheGauge(registry, cache, "used", all -> counts.apply(all.caches()).used());
    cacheGauge(registry, cache, "capacity", all -> counts.apply(all.caches()).capacity());
  }

  private void gets(
      MeterRegistry registry,
      String cache,
      String result,
      ToDoubleFunction<DatabaseStatistics> value) {
    counter("nelumbo.cache.gets", value)
        .tag("cache", cache)
        .tag("result", result)
        .description("Lookups of pool data in a cache of this process")
        .register(registry);
  }

  private void cacheGauge(
      MeterRegistry registry,
      String cache,
      String what,
      ToDoubleFunction<DatabaseStatistics> value) {
    Gauge.builder("nelumbo.cache." + what, place, each -> read(each, value))
        .tag(DATABASE, name)
        .tag("cache", cache)
        .description("Size of a cache of this process: rows, or bytes of records")
        .register(registry);
  }

  private void bindSessions(MeterRegistry registry) {
    gauge(registry, "nelumbo.sessions", "Open sessions", DatabaseStatistics::sessions);
    gauge(
        registry,
        "nelumbo.transactions.active",
        "Transactions in progress",
        DatabaseStatistics::activeTransactions);
    gauge(
        registry,
        "nelumbo.transactions.waiting",
        "Transactions that wait for a lock",
        DatabaseStatistics::waitingTransactions);
  }

  private void bindTransactions(MeterRegistry registry) {
    ended(registry, "committed", all -> all.transactions().committed());
    ended(registry, "rolled_back", all -> all.transactions().rolledBack());
    ended(registry, "lost", all -> all.transactions().lost());
    for (int copies = 1; copies <= TransactionCounts.COPIES_MAX && copies <= copiesMax; copies++) {
      int wanted = copies;
      counter("nelumbo.transactions.written", all -> all.transactions().committedTo(wanted))
          .tag("copies", Integer.toString(copies))
          .description("Committed transactions with writes, by the number of live copies")
          .register(registry);
    }
  }

  private void ended(
      MeterRegistry registry, String outcome, ToDoubleFunction<DatabaseStatistics> value) {
    counter("nelumbo.transactions.ended", value)
        .tag("outcome", outcome)
        .description("Transactions that have ended")
        .register(registry);
  }

  private void bindMemory(MeterRegistry registry) {
    memory(registry, "capacity", DatabaseStatistics.Memory::capacity);
    memory(registry, "taken", DatabaseStatistics.Memory::taken);
    memory(registry, "live", DatabaseStatistics.Memory::live);
    memory(registry, "free", DatabaseStatistics.Memory::free);
    memory(registry, "retired", DatabaseStatistics.Memory::retired);
  }

  private void memory(
      MeterRegistry registry, String state, ToDoubleFunction<DatabaseStatistics.Memory> value) {
    Gauge.builder(
            "nelumbo.pool.memory",
            place,
            each -> read(each, all -> value.applyAsDouble(all.memory())))
        .tag(DATABASE, name)
        .tag("state", state)
        .description("Memory of the pool")
        .baseUnit("bytes")
        .register(registry);
  }

  private void bindQueryMemory(MeterRegistry registry) {
    MemoryBudget budget = MemoryBudget.ofJvm();
    queryMemory(registry, "used", budget::used);
    queryMemory(registry, "peak", budget::peak);
    queryMemory(registry, "limit", budget::limit);
    counter("nelumbo.query.memory.refusals", _ -> budget.refusals())
        .description("Memory requests of statements that exceeded a limit")
        .register(registry);
    counter("nelumbo.query.spills", _ -> budget.spills())
        .description("Times that a statement wrote rows to temporary files")
        .register(registry);
    counter("nelumbo.query.spilled", _ -> budget.spilledBytes())
        .description("Rows that statements wrote to temporary files")
        .baseUnit("bytes")
        .register(registry);
  }

  private void queryMemory(MeterRegistry registry, String state, LongSupplier bytes) {
    Gauge.builder("nelumbo.query.memory", bytes::getAsLong)
        .tag(DATABASE, name)
        .tag("state", state)
        .description("Heap used for rows by the statements of this process")
        .baseUnit("bytes")
        .strongReference(true)
        .register(registry);
  }

  private void bindTraffic(MeterRegistry registry) {
    counter("nelumbo.network.frames", all -> all.traffic().frames())
        .description("Batches of verbs sent, each to one memory node")
        .register(registry);
    network(registry, "sent", all -> all.traffic().bytesSent());
    network(registry, "received", all -> all.traffic().bytesReceived());
  }

  private void network(
      MeterRegistry registry, String direction, ToDoubleFunction<DatabaseStatistics> value) {
    counter("nelumbo.network", value)
        .tag("direction", direction)
        .description("Bytes to and from memory nodes")
        .baseUnit("bytes")
        .register(registry);
  }

  private void bindThreads(MeterRegistry registry) {
    for (String thread : threads) {
      counter(
              "nelumbo.threads.failures",
              all -> all.threadFailures().getOrDefault(thread, 0L).doubleValue())
          .tag("thread", thread)
          .description(
              "Failures of a background thread, after which it continued or stopped the pool")
          .register(registry);
    }
  }

  private void bindReplication(MeterRegistry registry) {
    gauge(
        registry,
        "nelumbo.pool.view",
        "View number: increases with each change of the live memory nodes; 0 if there is one copy",
        all -> all.replicationStatus().view());
    gauge(
        registry,
        "nelumbo.pool.copies",
        "Copies of all data if all memory nodes are live",
        all -> all.replicationStatus().copies());
    gauge(
        registry,
        "nelumbo.pool.lost",
        "1 if too many memory nodes have failed, and the pool has to be opened again",
        all -> all.replicationStatus().lost() ? 1 : 0);
    gauge(
        registry,
        "nelumbo.pool.made",
        "1 if the attach created the pool, 0 if it existed",
        all -> all.attach().isNew() ? 1 : 0);
    gauge(
        registry,
        "nelumbo.pool.damaged.tables",
        "Tables that the attach found damaged and set aside",
        all -> all.attach().recovery() == null ? 0 : all.attach().recovery().damagedTables());
    gauge(
        registry,
        "nelumbo.pool.attach.seconds",
        "Duration of the attach, including recovery",
        all -> all.attach().nanos() / 1e9);
    counter("nelumbo.pool.filled.nodes", all -> all.replicationStatus().filledNodes())
        .description("Times that a memory node was filled from the others and became live again")
        .register(registry);
    counter("nelumbo.pool.filled", all -> all.replicationStatus().filledBytes())
        .description("Bytes copied to memory nodes that were being filled")
        .baseUnit("bytes")
        .register(registry);
    for (int node = 0; node < nodes.size(); node++) {
      bindNode(registry, node, nodes.get(node).address());
    }
  }

  private void bindNode(MeterRegistry registry, int number, String address) {
    Tags tags = Tags.of("node", Integer.toString(number), "address", address);
    for (ReplicationStatus.State state : ReplicationStatus.State.values()) {
      node(number, "state", tags, each -> each.state() == state ? 1 : 0)
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .description("1 for the current state of the memory node")
          .register(registry);
    }
    node(number, "fill", tags, ReplicationStatus.Node::filledBytes)
        .tag("state", "copied")
        .description("Progress of filling a memory node: bytes by state")
        .baseUnit("bytes")
        .register(registry);
    node(number, "fill", tags, ReplicationStatus.Node::fillBytes)
        .tag("state", "wanted")
        .description("Progress of filling a memory node: bytes by state")
        .baseUnit("bytes")
        .register(registry);
    bindFillTime(registry, number, tags);
    bindReplies(registry, number, tags);
  }

  private void bindFillTime(MeterRegistry registry, int number, Tags tags) {
    node(number, "fill", tags, ReplicationStatus.Node::leftBytes)
        .tag("state", "left")
        .description("Progress of filling a memory node: bytes by state")
        .baseUnit("bytes")
        .register(registry);
    node(number, "fill.left", tags, each -> Math.max(0, each.secondsLeft()))
        .description("Time until a memory node is filled, at the current rate")
        .baseUnit("seconds")
        .register(registry);
  }

  private void bindReplies(MeterRegistry registry, int number, Tags tags) {
    node(number, "answer", tags, each -> each.replyNanos() / 1e9)
        .description("Mean response time of a memory node in the last seconds")
        .baseUnit("seconds")
        .register(registry);
    Gauge.builder(
            "nelumbo.pool.node.slow",
            place,
            each -> read(each, all -> all.replicationStatus().isSlow(number) ? 1 : 0))
        .tag(DATABASE, name)
        .tags(tags)
        .description("1 if a memory node responds much later than the others")
        .register(registry);
  }

  private Gauge.Builder<Supplier<DatabaseStatistics>> node(
      int number, String what, Tags tags, ToDoubleFunction<ReplicationStatus.Node> value) {
    return Gauge.builder(
            "nelumbo.pool.node." + what,
            place,
            each ->
                read(each, all -> value.applyAsDouble(all.replicationStatus().nodes().get(number))))
        .tag(DATABASE, name)
        .tags(tags);
  }

  private FunctionCounter.Builder<Supplier<DatabaseStatistics>> counter(
      String meter, ToDoubleFunction<DatabaseStatistics> value) {
    return FunctionCounter.builder(meter, place, each -> read(each, value)).tag(DATABASE, name);
  }

  private void gauge(
      MeterRegistry registry,
      String meter,
      String description,
      ToDoubleFunction<DatabaseStatistics> value) {
    Gauge.builder(meter, place, each -> read(each, value))
        .tag(DATABASE, name)
        .description(description)
        .register(registry);
  }
}
