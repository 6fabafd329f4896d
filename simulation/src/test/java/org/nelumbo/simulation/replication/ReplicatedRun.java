package org.nelumbo.simulation.replication;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.dm.replication.membership.WantedPool;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.ReplicatedCluster;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.scenario.Scenario;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.workload.BankWorkload;
import org.nelumbo.simulation.workload.MirrorWorkload;
import org.nelumbo.simulation.workload.OwnedRowsWorkload;
import org.nelumbo.simulation.workload.Workload;
import org.nelumbo.simulation.workload.WorkloadClient;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/** One run of a scenario's workload on three copies, while memory nodes stop and return. */
final class ReplicatedRun {
  private static final int NODES = 3;

  /** Minimum number of live nodes after a stop. */
  private static final int LEFT_MIN = NODES / 2 + 1;

  private static final long ALL = 0b111;
  private static final long CALM_NANOS = 1_000_000;

  /** Several times the duration of a run, so that an endless wait is reported. */
  private static final long LONGEST_NANOS = 2_000_000_000;

  /**
   * The shortest time after which a stopped node is detected: before slow verbs have reached the
   * other nodes. The shifts make it much longer, depending on the seed.
   */
  private static final long NOTICED_MICROS = 5;

  private static final int NOTICED_SHIFTS = 5;
  private static final int CALM_SHIFTS = 6;
  private static final long POLL_NANOS = 100_000;

  /** Several rounds of the sweeper, which collects deleted rows. */
  private static final long SETTLE_NANOS = 100_000_000;

  private static final ReplicatedFabric.Options OPTIONS =
      ReplicatedFabric.Options.DEFAULT
          .withReconnectNanos(500_000)
          .withWindowBytes(16 << 10)
          .withStripes(1 << 12);

  private final Scenario scenario;
  private final SimWorld world;
  private final SimReplicas nodes;
  private final SimNode first;
  private final SimRandom random;
  private final Workload workload;
  private ReplicatedFabric.Options options = OPTIONS;

  private BiFunction<ReplicatedFabric, SimReplicas, Fabric> breakage = (whole, nodes) -> whole;
  private ReplicatedFabric fabric;
  private ReplicatedCluster cluster;
  private int working;
  private long committed;
  private long faults;

  /** The outcome of a run. */
  record Result(long committed, long faults, long virtualNanos, long hash) {}

  ReplicatedRun(String name, int transactions, long seed, SimMemory memory) throws IOException {
    long noticed = NOTICED_MICROS << 2 * Math.floorMod(seed, NOTICED_SHIFTS);
    scenario =
        Scenario.load(
            name, Map.of("transactions", "" + transactions, "fabric.timeout", noticed + "us"));
    world = new SimWorld(seed, Trace.hashing());
    world.setLimits(LONGEST_NANOS, scenario.stepLimit());
    FabricModel model = scenario.fabric();
    long bytes = 4096 + NODES * scenario.cluster().nodeBytes();
    nodes = new SimReplicas(world, model, NODES, bytes, memory);
    first = world.addNode("cn0");
    random = world.random("memory nodes");
    workload = workload();
  }

  private Workload workload() {
    return switch (scenario.workloadKind()) {
      case OWNED -> new OwnedRowsWorkload(scenario.workload(), scenario.cluster());
      case MIRROR -> new MirrorWorkload(scenario.workload(), scenario.cluster().indexed());
      case BANK -> new BankWorkload(scenario.workload());
      default ->
          throw new IllegalArgumentException("not run on copies: " + scenario.workloadKind());
    };
  }

  /** Runs the clients on a broken fabric. */
  ReplicatedRun broken(BiFunction<ReplicatedFabric, SimReplicas, Fabric> how) {
    breakage = how;
    return this;
  }

  /** Sets the number of logical memory nodes per memory node. */
  ReplicatedRun spread(int spread) {
    options = options.withWanted(WantedPool.of(0, spread));
    return this;
  }

  Result run() {
    try {
      world.run(first, "setup", this::setUp);
      for (int client = 0; client < scenario.workload().clients(); client++) {
        int me = client;
        working++;
        world.spawn(first, "client-" + client, () -> work(me));
      }
      world.spawn(world.addNode("fate"), "fate", this::stopAndRestart);
      world.run();
      world.run(first, "checks", () -> check(cluster));
      stopComputeNode();
      int gone = random.nextInt(NODES);
      nodes.stop(gone);
      SimNode second = world.addNode("cn1");
      world.run(second, "attach", () -> attach(second));
      return new Result(committed, faults, world.now(), world.trace().hash());
    } finally {
      world.close();
      nodes.release();
    }
  }

  private void setUp() throws TransactionFailed {
    fabric = nodes.open(first, options);
    Fabric used = breakage.apply(fabric, nodes);
    cluster = ReplicatedCluster.open(first, used, scenario.cluster());
    try (ClusterSession clusterSession = cluster.newSession()) {
      workload.load(clusterSession);
    }
  }

  private void work(int index) throws TransactionFailed {
    Environment environment = first.environment();
    try (ClusterSession clusterSession = cluster.newSession()) {
      WorkloadClient workloadClient =
          workload.newClient(index, clusterSession, world.random("client " + index));
      int done = 0;
      for (int attempt = 0; done < scenario.transactions(); attempt++) {
        try {
          workloadClient.transact();
          done++;
          committed++;
          attempt = -1;
        } catch (TransactionFailed failed) {
          if (failed.reason() != TransactionFailed.Reason.CONFLICT) {
            throw failed;
          }
          clusterSession.abort();
          environment.backoff(attempt);
        }
      }
    } finally {
      working--;
    }
  }

  /** Stops and restarts random nodes, but never a node that a majority needs. */
  private void stopAndRestart() {
    long calm = CALM_NANOS << random.nextInt(CALM_SHIFTS);
    while (working > 0) {
      sleep(1 + random.nextLong(calm));
      int node = random.nextInt(NODES);
      if (nodes.isStopped(node)) {
        bringBack(node);
      } else if (others(node) >= LEFT_MIN) {
        nodes.stop(node);
        faults++;
      }
    }
    for (int node = 0; node < NODES; node++) {
      if (nodes.isStopped(node)) {
        bringBack(node);
      }
    }
    while (fabric.liveNodes() != ALL || !areSettled()) {
      sleep(POLL_NANOS);
    }
  }

  /** Restarts a node, either empty or with its memory. */
  private void bringBack(int node) {
    if (random.chance(0.5)) {
      nodes.restart(node);
    } else {
      nodes.comeBack(node);
    }
  }

  private boolean areSettled() {
    boolean settled = true;
    for (int node = 0; node < NODES; node++) {
      settled &= nodes.isSettled(node);
    }
    return settled;
  }

  /**
   * Returns the number of live nodes other than the given one. Stopped nodes do not count even if
   * their failure is not detected yet.
   */
  private int others(int node) {
    int count = 0;
    for (int other = 0; other < NODES; other++) {
      boolean live = (fabric.liveNodes() >>> other & 1) != 0;
      count += other != node && live && nodes.isSettled(other) ? 1 : 0;
    }
    return count;
  }

  private void sleep(long nanos) {
    world.sleepUntil(world.now() + nanos);
  }

  private void check(ReplicatedCluster of) throws TransactionFailed {
    try (ClusterSession clusterSession = of.newSession()) {
      workload.check(clusterSession);
    }
    sleep(SETTLE_NANOS);
    of.verify();
  }

  private void stopComputeNode() {
    for (SimTask task : List.copyOf(world.tasks())) {
      if (task.node() == first && task.isAlive()) {
        nodes.stop(task);
      }
    }
  }

  private void attach(SimNode second) throws TransactionFailed {
    ReplicatedFabric other = nodes.open(second, OPTIONS);
    check(cluster.attach(second, other));
  }
}
