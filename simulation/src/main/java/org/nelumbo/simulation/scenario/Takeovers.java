package org.nelumbo.simulation.scenario;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.fabric.SimPool;
import org.nelumbo.simulation.fault.CrashPlan;
import org.nelumbo.simulation.fault.FaultInjector;
import org.nelumbo.simulation.fault.StopPoint;
import org.nelumbo.simulation.instrument.Injected;
import org.nelumbo.simulation.workload.Workload;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The compute nodes of a run, one after the other. Each has the pool and the workload's clients
 * until it loses the pool, by the crash plan or by a lost verb. Then another one attaches and
 * recovers the pool; it may be stopped or overtaken during recovery. Clients of a node that was
 * only slow continue concurrently with the next compute node until they detect that they are
 * fenced.
 */
final class Takeovers {
  /** Minimum number of commits of each client after the last takeover. */
  private static final long COMMITS_AFTER = 5;

  /** Upper bound of the drawn recovery verb. A recovery of a small pool has more verbs. */
  private static final int RECOVERY_VERBS = 500;

  private static final int ATTACHES_MAX = 1000;
  private static final int SLOWER_THAN_TAKEOVER = 4;
  private static final long OVERLAP_NANOS = 400_000;

  /** Maximum time of a collapse: most clients are active by then, and some have not finished. */
  private static final long COLLAPSE_NANOS_MAX = 6_000_000;

  private final Scenario scenario;
  private final SimWorld world;
  private final SimPool pool;
  private final FaultInjector faults;
  private final Workload workload;
  private final RunCounts runCounts;
  private final CrashPlan plan;
  private final SimRandom random;
  private int crashesLeft;
  private int attaching;
  private int attaches;
  private boolean hasCollapsed;
  private SimNode node;
  private Cluster cluster;

  Takeovers(
      Scenario scenario,
      SimPool pool,
      FaultInjector faults,
      Workload workload,
      RunCounts runCounts) {
    this.scenario = scenario;
    this.world = pool.world();
    this.pool = pool;
    this.faults = faults;
    this.workload = workload;
    this.runCounts = runCounts;
    this.plan = scenario.crashes();
    this.random = world.random("succession");
    this.crashesLeft = plan.count();
  }

  /**
   * Returns the compute node that has the pool. If the pool was lost undetected after the end of
   * the last client, another compute node attaches first. Called by a simulated thread.
   */
  Cluster reachable() {
    for (int attempt = 0; attempt < ATTACHES_MAX; attempt++) {
      try {
        if (attempt > 0) {
          cluster = cluster.attach(world.addNode("cn" + ++attaches));
        }
        if (scenario.cluster().computeNodes() > 1) {
          cluster.mournLost();
          List<Cluster> live = cluster.together();
          if (live.isEmpty()) {
            hasCollapsed = true; // all of them have lost the pool
            world.sleepUntil(world.now() + plan.takeover());
            continue;
          }
          cluster = live.getFirst();
        }
        cluster.touchAllNodes();
        return cluster;
      } catch (RuntimeException e) {
        if (!isLost(e)) {
          throw e;
        }
        world.sleepUntil(world.now() + plan.takeover());
      }
    }
    throw new Violation("no compute node attaches the pool, attaches=" + attaches);
  }

  /** Attaches another compute node now, whether the pool was lost or not. */
  Cluster next() {
    Cluster before = reachable();
    before.together().forEach(each -> faults.stopTasksOf(each.node(), world.current()));
    faults.stopTasksOf(node, world.current());
    for (int attempt = 0; attempt < ATTACHES_MAX; attempt++) {
      node = world.addNode("cn" + ++attaches);
      try {
        cluster = before.attach(node);
        return cluster;
      } catch (PoolOpenException e) {
        world.sleepUntil(
            world.now() + plan.takeover()); // the lease of the previous one is still valid
      }
    }
    throw new Violation("no compute node attaches the pool, attaches=" + attaches);
  }

  private void beginTogether() {
    List<Cluster> together = List.copyOf(cluster.together());
    Survivors survivors =
        new Survivors(scenario, pool, faults, workload, runCounts, cluster, this::startAnew);
    survivors.begin(together);
    if (random.chance(plan.collapse())) {
      world.at(world.now() + 1 + random.nextLong(COLLAPSE_NANOS_MAX), this::collapse);
    }
  }

  /**
   * The other memory nodes have the acknowledged data. Another compute node attaches and continues
   * with all clients.
   */
  private void collapse() {
    stopAll(null);
    faults.stopMemoryNode(
        random.nextInt(pool.nodeCount()), plan.takeover() + random.nextLong(COLLAPSE_NANOS_MAX));
    attachSoon();
  }

  private void stopAll(SimTask spared) {
    hasCollapsed = true;
    crashesLeft = 0;
    for (SimNode each : List.copyOf(world.nodes())) {
      faults.stopTasksOf(each, spared);
    }
  }

  /** The pool was lost before any other compute node shared it. */
  private void startAnew() {
    stopAll(world.current());
    attachSoon();
  }

  /** Returns true if all compute nodes that shared the pool have failed at once. */
  boolean hasCollapsed() {
    return hasCollapsed;
  }

  /** Starts the clients on a compute node. */
  void begin(SimNode itsNode, Cluster itsCluster) {
    node = itsNode;
    cluster = itsCluster;
    if (scenario.cluster().computeNodes() > 1 && !hasCollapsed) {
      beginTogether();
      return;
    }
    List<SimTask> clients = new ArrayList<>();
    int[] left = {scenario.workload().clients()};
    int[] working = {scenario.workload().clients()};
    int[] writing = {scenario.workload().clients() - scenario.workload().readers()};
    for (int i = 0; i < scenario.workload().clients(); i++) {
      long wanted = scenario.transactions() - runCounts.done[i];
      if (attaches > 0) {
        wanted = Math.max(wanted, COMMITS_AFTER);
      }
      boolean reads = i < scenario.workload().readers();
      ClientLoop loop =
          new ClientLoop(
              scenario,
              itsCluster,
              itsNode,
              workload,
              i,
              runCounts,
              Math.max(wanted, 0),
              () -> reads && writing[0] > 0,
              () -> false);
      clients.add(
          world.spawn(
              itsNode,
              "client-" + i,
              () -> {
                boolean lost = loop.run();
                working[0]--;
                writing[0] -= reads ? 0 : 1;
                if (lost) {
                  boolean mayAttach = working[0] == 0 || !itsCluster.isStopped();
                  poolLost(itsNode, --left[0] == 0, mayAttach);
                }
              }));
    }
    if (scenario.cluster().schema().isChanging()) {
      SchemaLoop loop =
          new SchemaLoop(itsCluster, itsNode.name(), workload, runCounts, () -> working[0] > 0);
      clients.add(world.spawn(itsNode, "schema", loop::run));
    }
    clients.forEach(faults::addVictim);
    if (crashesLeft > 0) {
      crashesLeft--;
      arm(clients.get(random.nextInt(clients.size())));
    }
  }

  private void arm(SimTask victim) {
    CrashPlan.How how = plan.how();
    if (how == CrashPlan.How.ANY) {
      how = CrashPlan.How.values()[random.nextInt(CrashPlan.How.ANY.ordinal())];
    }
    StopPoint.Kind[] kinds = StopPoint.Kind.values();
    StopPoint.Kind kind = kinds[random.nextInt(kinds.length)];
    StopPoint point = new StopPoint(kind, 1 + random.nextInt(plan.within()));
    CrashPlan.How chosen = how;
    faults.at(victim, point, () -> crash(victim, point, chosen));
  }

  private void crash(SimTask victim, StopPoint point, CrashPlan.How how) {
    switch (how) {
      case STOP -> {
        faults.stopNodeOf(victim, point);
        attachSoon();
      }
      case SLOW -> {
        long slow = SLOWER_THAN_TAKEOVER * plan.takeover();
        faults.pauseNode(victim.node(), 1 + slow / 2 + random.nextLong(slow));
        faults.countFenced();
        attachSoon();
      }
      case LINK -> faults.loseNextVerbOf(victim);
      case MEMORY_NODE -> {
        int which = random.nextInt(pool.nodeCount());
        faults.stopMemoryNode(which, 1 + random.nextLong(2 * plan.takeover()));
      }
      case ANY -> throw new AssertionError();
    }
  }

  /**
   * The last client of a node ends the process. If the engine has stopped, the next attach waits
   * until all clients have detected it: no other compute node ends their waits before.
   */
  private void poolLost(SimNode from, boolean last, boolean mayAttach) {
    if (last) {
      faults.stopTasksOf(from, world.current());
    }
    if (from == node && attaching == 0 && mayAttach) {
      attachSoon();
    }
  }

  private void attachSoon() {
    long delay = 1 + random.nextLong(plan.takeover());
    attach(delay);
    if (random.chance(plan.recoveryChance() / 2)) {
      attach(delay + random.nextLong(OVERLAP_NANOS));
    }
  }

  private void attach(long delay) {
    attaching++;
    SimNode next = world.addNode("cn" + ++attaches);
    if (attaches > ATTACHES_MAX) {
      throw new Violation("no compute node attaches the pool, attaches=" + attaches);
    }
    faults.setClock(next);
    SimTask task =
        world.spawn(
            next,
            "attach",
            () -> {
              world.sleepUntil(world.now() + delay);
              recover(next);
            });
    if (random.chance(plan.recoveryChance() / 2)) {
      StopPoint point = new StopPoint(StopPoint.Kind.VERB, 1 + random.nextInt(RECOVERY_VERBS));
      faults.at(
          task,
          point,
          () -> {
            faults.countRecoveryStop();
            faults.stopNodeOf(task, point);
            attachFailed();
          });
    }
  }

  private void recover(SimNode next) {
    Cluster recovered;
    try {
      recovered = cluster.attach(next);
    } catch (RuntimeException | Error e) {
      if (!isLost(e) && !Injected.isCauseOf(e)) {
        throw e;
      }
      faults.spare(world.current());
      faults.stopTasksOf(next, world.current());
      attachFailed();
      return;
    }
    faults.spare(world.current());
    faults.countTakeover();
    attaching--;
    begin(next, recovered);
  }

  private static boolean isLost(Throwable e) {
    return isRefusal(e) || isRefusal(e.getCause());
  }

  /**
   * Returns true if a memory node is unavailable or serves another compute node, or too few are
   * reachable.
   */
  private static boolean isRefusal(Throwable e) {
    return e instanceof FabricException || e instanceof PoolOpenException;
  }

  private void attachFailed() {
    attaching--;
    if (attaching == 0) {
      attachSoon();
    }
  }
}
