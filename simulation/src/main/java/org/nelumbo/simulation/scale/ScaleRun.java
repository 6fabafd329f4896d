package org.nelumbo.simulation.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.nelumbo.executor.lock.LockCounts;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.simulation.cluster.Api;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.ClusterOptions;
import org.nelumbo.simulation.cluster.SchemaOptions;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.fabric.SimPool;
import org.nelumbo.simulation.replication.ReplicaPlan;
import org.nelumbo.simulation.replication.SimReplicas;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.FifoServer;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/** One run of a mix on compute nodes that share a pool. */
final class ScaleRun {
  private static final long NODE_BYTES = 256L << 20;
  private static final long LOCK_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long RETENTION_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long TIME_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(600);
  private static final long LEASE_NANOS = 1_000_000;
  private static final int CACHED_CVTS = 1 << 16;
  private static final int SHARDS = 1 << 12;

  /** Warm-up time of the clients, which is not measured. */
  private static final long WARM_NANOS = 3_000_000;

  private static final long BUCKET_NANOS = 100_000;
  private static final double FULL = 0.95;
  private static final long LOOK_NANOS = 5_000;
  private static final int BACKOFF_MAX = 6;

  private final ScaleOptions options;
  private final SimWorld world;
  private final SimPool pool;
  private final SortedMap<String, TypeTotals> types = new TreeMap<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Node> dead = new ArrayList<>();
  private final long[] buckets;
  private final double[] cards;
  private final VerbLedger verbs;
  private double processorNanos;
  private long begin;
  private long end;
  private long conflicts;
  private long fencedAt;
  private long dealtAt;

  private static final class Node {
    final Cluster cluster;
    final MixTables tables;
    final List<Long> own = new ArrayList<>();
    final List<Long> others = new ArrayList<>();
    long epoch = -1;

    Node(Cluster cluster, MixTables tables) {
      this.cluster = cluster;
      this.tables = tables;
    }
  }

  ScaleRun(ScaleOptions options, SimMemory memory) {
    this.options = options;
    this.world = new SimWorld(options.seed(), Trace.hashing());
    this.world.setLimits(TIME_LIMIT_NANOS, Long.MAX_VALUE);
    this.pool = pool(options, memory);
    this.buckets = new long[(int) (options.nanos() / BUCKET_NANOS) + 1];
    this.cards = new double[options.memoryNodes()];
    this.verbs = options.verbs() ? new VerbLedger(options.memoryNodes()) : null;
  }

  private SimPool pool(ScaleOptions of, SimMemory memory) {
    if (of.copies() == 1) {
      return new SimFabric(world, of.fabric(), of.memoryNodes(), NODE_BYTES, memory);
    }
    ReplicaPlan plan = new ReplicaPlan(of.copies(), 1, LEASE_NANOS, 0, 0, 0, 0, false, true);
    SimReplicas copies =
        SimReplicas.of(world, of.fabric(), of.memoryNodes(), NODE_BYTES, memory, plan);
    copies.makeSteady();
    return copies;
  }

  ScaleResult run() {
    try {
      SimNode first = world.addNode("cn0");
      world.run(first, "setup", () -> setUp(first));
      begin = world.now() + WARM_NANOS;
      end = begin + options.nanos();
      if (verbs != null) {
        pool.observe(verbs);
      }
      nodes.forEach(this::startClients);
      if (options.deaths() > 0) {
        world.at(begin + options.nanos() / 2, this::die);
      }
      world.at(begin, this::beginMeasuring);
      world.at(end, this::endMeasuring);
      world.run();
      return new ScaleResult(
          types,
          conflicts,
          options.nanos(),
          recovery(),
          cards,
          processorNanos / options.nanos() / Math.max(1, processors()),
          verbs);
    } finally {
      world.close();
      pool.release();
    }
  }

  private void startClients(Node node) {
    SimNode of = node.cluster.node();
    List<FifoServer> processors = of.processors();
    for (int client = 0; client < options.clientsOfNode(); client++) {
      SimRandom random = world.random(of.name() + " client " + client);
      SimTask task = world.spawn(of, "client-" + client, () -> transact(node, random));
      if (!processors.isEmpty()) {
        task.runOn(processors.get(client % processors.size()));
      }
      if (verbs != null) {
        verbs.addClient(task);
      }
    }
  }

  private void beginMeasuring() {
    for (int node = 0; node < cards.length; node++) {
      cards[node] = -pool.busyNanos(node);
    }
    processorNanos = -allProcessorNanos();
    if (verbs != null) {
      verbs.setMeasuring(true);
    }
  }

  private void endMeasuring() {
    for (int node = 0; node < cards.length; node++) {
      cards[node] = (cards[node] + pool.busyNanos(node)) / options.nanos();
    }
    processorNanos += allProcessorNanos();
    if (verbs != null) {
      verbs.setMeasuring(false);
    }
  }

  private double allProcessorNanos() {
    return world.nodes().stream()
        .flatMap(each -> each.processors().stream())
        .mapToDouble(FifoServer::busyNanos)
        .sum();
  }

  private int processors() {
    return options.threads() * options.computeNodes();
  }

  private void setUp(SimNode node) throws MixConflict {
    Cluster first = Cluster.open(pool, node, clusterOptions(), Cluster.EngineFactory.PRODUCTION);
    MixTables made = MixTables.create(first.engine(), options.mix());
    nodes.add(new Node(first, made));
    load(nodes.getFirst());
    for (int i = 1; i < options.computeNodes(); i++) {
      Cluster joined = first.join(world.addNode("cn" + i));
      nodes.add(new Node(joined, made.open(joined.engine(), options.mix())));
    }
    first.awaitBalance();
    for (Node each : nodes) {
      each.cluster.node().addProcessors(options.threads());
      if (options.deaths() > 0) {
        each.cluster.watch(each.tables::stores);
      }
    }
  }

  /** The pool is on memory nodes, so it is shared even while it has one compute node. */
  private ClusterOptions clusterOptions() {
    return new ClusterOptions(
        Api.NATIVE,
        ConflictPolicy.WAIT_DIE,
        LOCK_TIMEOUT_NANOS,
        Math.max(2, options.computeNodes()),
        options.memoryNodes(),
        NODE_BYTES,
        2,
        true,
        true,
        false,
        false,
        20,
        false,
        SHARDS,
        RETENTION_NANOS,
        options.recordCacheBytes(),
        CACHED_CVTS,
        LEASE_NANOS,
        true,
        0,
        0,
        options.clock(),
        0,
        SchemaOptions.NONE);
  }

  private void load(Node node) throws MixConflict {
    try (MixSession session = new MixSession(node.cluster.engine(), node.tables, world, pool)) {
      for (int home = 0; home < options.mix().homes(); home++) {
        session.begin(false);
        options.mix().load(session, home(home));
        session.flush();
        session.commit();
      }
    }
  }

  /** Successive homes are in successive shards, which belong to the compute nodes in turn. */
  private long home(int number) {
    return options.homesFrom() + number;
  }

  private void transact(Node node, SimRandom random) {
    try (MixSession session = new MixSession(node.cluster.engine(), node.tables, world, pool)) {
      LongSupplier homes = () -> draw(node, session, random);
      LongSupplier elsewhere = () -> home(random.nextInt(options.mix().homes()));
      int failed = 0;
      long start = world.now();
      while (world.now() < end) {
        long trips = session.roundTrips();
        LockCounts locks = session.locks();
        try {
          String type = options.mix().transact(session, random, homes, elsewhere);
          session.commit();
          session.awaitProcessor();
          endAttempt(type);
          count(node, type, start, session.roundTrips() - trips, locks, session.locks());
          failed = 0;
          start = world.now();
        } catch (MixConflict conflict) {
          session.abort();
          session.awaitProcessor();
          endAttempt(VerbLedger.ABORTED);
          conflicts += world.now() > begin ? 1 : 0;
          node.cluster.node().environment().backoff(Math.min(failed++, BACKOFF_MAX));
        }
      }
    }
  }

  private void endAttempt(String type) {
    if (verbs != null) {
      verbs.end(world.current(), type);
    }
  }

  private long draw(Node node, MixSession session, SimRandom random) {
    refresh(node, session);
    boolean own =
        switch (options.routing()) {
          case OWNER -> true;
          case HALF -> random.nextInt(2) == 0;
          case ELSEWHERE -> false;
          case ANY -> random.nextInt(options.mix().homes()) < node.own.size();
        };
    List<Long> from = own && !node.own.isEmpty() || node.others.isEmpty() ? node.own : node.others;
    return from.get(random.nextInt(from.size()));
  }

  private void refresh(Node node, MixSession session) {
    ClusterLocks locks = node.cluster.engine().clusterLocks();
    long epoch = locks == null ? 0 : locks.map().epoch();
    if (epoch == node.epoch) {
      return;
    }
    node.epoch = epoch;
    node.own.clear();
    node.others.clear();
    for (int i = 0; i < options.mix().homes(); i++) {
      boolean own = locks == null || locks.isOwned(session.lockKey(home(i)));
      (own ? node.own : node.others).add(home(i));
    }
  }

  private void count(
      Node node, String type, long start, long trips, LockCounts before, LockCounts after) {
    if (world.now() >= begin && world.now() < end) {
      types
          .computeIfAbsent(type, _ -> new TypeTotals())
          .add(world.now() - start, trips, before, after);
      if (!willDie(node)) {
        buckets[(int) ((world.now() - begin) / BUCKET_NANOS)]++;
      }
    }
  }

  // Failures of compute nodes.

  private boolean willDie(Node node) {
    int index = nodes.indexOf(node);
    return index > 0 && index <= options.deaths();
  }

  private void die() {
    for (Node each : nodes) {
      if (willDie(each)) {
        dead.add(each);
        for (SimTask task : List.copyOf(world.tasks())) {
          if (task.node() == each.cluster.node() && task.isAlive()) {
            pool.stop(task);
          }
        }
        each.cluster.mourn(each.cluster);
      }
    }
    world.spawn(world.addNode("observer"), "observer", this::observe);
  }

  private void observe() {
    while (world.now() < end && dealtAt == 0) {
      if (fencedAt == 0 && dead.stream().anyMatch(each -> !each.cluster.isServed())) {
        fencedAt = world.now();
      }
      if (dead.stream().allMatch(each -> each.cluster.isGone())
          && dead.getFirst().cluster.isWhole()) {
        dealtAt = world.now();
      }
      world.sleepUntil(world.now() + LOOK_NANOS);
    }
  }

  private ScaleResult.Recovery recovery() {
    if (options.deaths() == 0) {
      return null;
    }
    long death = begin + options.nanos() / 2;
    int dying = (int) (options.nanos() / 2 / BUCKET_NANOS);
    long before = 0;
    for (int i = 0; i < dying; i++) {
      before += buckets[i];
    }
    double wanted = FULL * before / dying;
    long full = -1;
    for (int i = (int) ((dealtAt - begin) / BUCKET_NANOS); i < buckets.length && full < 0; i++) {
      if (buckets[i] >= wanted) {
        full = Math.max(0, begin + (i + 1) * BUCKET_NANOS - dealtAt);
      }
    }
    return new ScaleResult.Recovery(fencedAt - death, dealtAt - fencedAt, full);
  }
}
