package org.nelumbo.simulation.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.TransactionFailed;
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
 * The compute nodes of a run that share the pool, each with some of the workload's clients.
 *
 * <p>The crash plan makes one of them fail, or makes it slow so that it may be declared failed.
 * Sometimes a second one fails while the first is recovered, perhaps the one that recovers it. The
 * other compute nodes detect, fence and recover it while they work. A new one joins and continues
 * with its clients; sometimes it fails before it has joined, and another one joins. An engine that
 * stops because of an injected throwable is replaced in the same way. Other compute nodes leave in
 * order, when their clients have ended or before; these are replaced, too.
 */
final class Survivors {
  /** Minimum number of commits of each client after the failure of a compute node. */
  private static final long COMMITS_AFTER = 5;

  /**
   * Steps within which a compute node fails that is meant to fail on joining; it may have joined
   * before.
   */
  private static final int JOIN_STEPS = 15;

  /** Approximate number of code locations from which clients and the engine post verbs. */
  private static final int RARE_STEPS = 150;

  /** Maximum time for which the first compute node has the pool exclusively. */
  private static final long ALONE_NANOS_MAX = 3_000_000;

  private static final long LOOK_NANOS = 100_000;

  /** Maximum time between two compute nodes that leave. */
  private static final long BETWEEN_LEAVES_NANOS_MAX = 8_000_000;

  /** Leases within which a live compute node that is no longer slow is detected as live. */
  private static final int SURVIVED_LEASES = 10;

  private final Scenario scenario;
  private final SimWorld world;
  private final FaultInjector faults;
  private final Workload workload;
  private final RunCounts runCounts;
  private final CrashPlan plan;
  private final SimRandom random;
  private final long lease;

  /** One of the compute nodes; others join through it. */
  private final Cluster any;

  private final Runnable onLost;

  private final List<ClientTask> clientTasks = new ArrayList<>();

  /** Slow compute nodes that may still be declared failed. */
  private final Set<Cluster> slow = new HashSet<>();

  /** Members of {@code slow} that have failed. */
  private final Set<Cluster> stopped = new HashSet<>();

  /** Compute nodes with an observer, which replaces them once when they are removed. */
  private final Set<Cluster> observed = new HashSet<>();

  private final Set<Cluster> leaving = new HashSet<>();

  private int crashesLeft;
  private int joins;

  /**
   * A client and its compute node; or the schema loop of a compute node, which has the number -1.
   */
  private record ClientTask(Cluster cluster, int client, SimTask task) {
    boolean isClient() {
      return client >= 0;
    }
  }

  Survivors(
      Scenario scenario,
      SimPool pool,
      FaultInjector faults,
      Workload workload,
      RunCounts runCounts,
      Cluster any,
      Runnable onLost) {
    this.onLost = onLost;
    this.scenario = scenario;
    this.world = pool.world();
    this.faults = faults;
    this.workload = workload;
    this.runCounts = runCounts;
    this.plan = scenario.crashes();
    this.random = world.random("deaths");
    this.lease = scenario.cluster().lease();
    this.any = any;
    this.crashesLeft = plan.count();
  }

  /**
   * Starts each compute node with its share of the clients. If there is only one, the others join
   * while it works.
   */
  void begin(List<Cluster> together) {
    for (int i = 0; i < together.size(); i++) {
      begin(together.get(i), clientsOf(i));
    }
    together.forEach(this::watch);
    if (together.size() == 1) {
      world.spawn(any.node(), "invite", this::joinOthers);
      return;
    }
    beginFaults();
  }

  private void beginFaults() {
    faults.startThrowing();
    if (scenario.horizonAge() > 0) {
      new HorizonGuard(world, any, scenario.horizonAge()).start();
    }
    crashSoon();
    SimRandom placing = world.random("place");
    long every = scenario.cluster().placedEvery();
    if (every > 0 && !scenario.faults().throwsSomething() && placing.chance(0.5)) {
      world.spawnInBackground(
          world.addNode("administrator"), "administrator", () -> administrate(placing, every));
    }
    if (scenario.cluster().leaves() > 0) {
      world.spawn(world.addNode("operator"), "operator", this::exchange);
    }
  }

  private void exchange() {
    SimRandom leaves = world.random("leaves");
    for (int i = 0; i < scenario.cluster().leaves(); i++) {
      world.sleepUntil(world.now() + 1 + leaves.nextLong(BETWEEN_LEAVES_NANOS_MAX));
      List<Cluster> mayLeave = any.together().stream().filter(this::mayLeave).toList();
      if (!mayLeave.isEmpty()) {
        exchange(mayLeave.get(leaves.nextInt(mayLeave.size())));
      }
    }
  }

  private void exchange(Cluster old) {
    leaving.add(old);
    while (!hasEnded(old)) {
      world.sleepUntil(world.now() + LOOK_NANOS);
    }
    if (observed.contains(old)) {
      return; // it has failed, and its observer replaces it
    }
    SimTask leave = world.spawn(old.node(), "leave", () -> leave(old));
    while (leave.isAlive()) {
      world.sleepUntil(world.now() + LOOK_NANOS);
    }
    if (!observed.contains(old)) {
      replace(old);
    }
  }

  private void administrate(SimRandom random, long every) {
    world.sleepUntil(world.now() + 1 + random.nextLong(2 * every));
    while (clientTasks.stream().anyMatch(each -> each.task.isAlive())) {
      List<Cluster> together = any.together();
      Cluster by = together.get(random.nextInt(together.size()));
      if (hasEnded(by) && mayLeave(by) && random.chance(0.5)) {
        leaving.add(by);
        world.spawn(by.node(), "leave", () -> leave(by));
      } else if (by.isServed() && !leaving.contains(by)) {
        world.spawnInBackground(by.node(), "place", () -> pinShards(by));
      }
      world.sleepUntil(world.now() + 1 + random.nextLong(2 * every));
    }
  }

  private boolean hasEnded(Cluster cluster) {
    return clientTasks.stream().noneMatch(each -> each.cluster == cluster && each.task.isAlive());
  }

  private boolean mayLeave(Cluster cluster) {
    boolean hasWorked = clientTasks.stream().anyMatch(each -> each.cluster == cluster);
    return hasWorked
        && cluster.isServed()
        && staying() > 2
        && !leaving.contains(cluster)
        && !slow.contains(cluster)
        && !observed.contains(cluster);
  }

  /** One of the compute nodes that are neither slow nor about to leave has to stay. */
  private long staying() {
    return any.together().stream()
        .filter(each -> !slow.contains(each) && !leaving.contains(each))
        .count();
  }

  private void leave(Cluster cluster) {
    try {
      cluster.leave();
    } catch (RuntimeException | Error e) {
      if (!TransactionFailed.isLoss(e)) {
        throw e;
      }
      any.mourn(cluster);
    }
  }

  private void pinShards(Cluster by) {
    try {
      by.pinShards();
    } catch (RuntimeException | Error e) {
      if (!TransactionFailed.isLoss(e)) {
        throw e;
      }
    }
  }

  private void watch(Cluster cluster) {
    if (scenario.losesComputeNodes()) {
      cluster.watch();
    }
  }

  private List<Integer> clientsOf(int which) {
    List<Integer> clients = new ArrayList<>();
    int nodes = scenario.cluster().computeNodes();
    for (int client = which; client < scenario.workload().clients(); client += nodes) {
      clients.add(client);
    }
    return clients;
  }

  private void joinOthers() {
    world.sleepUntil(world.now() + random.nextLong(ALONE_NANOS_MAX));
    int[] expected = {scenario.cluster().computeNodes() - 1};
    for (int other = 1; other <= scenario.cluster().computeNodes() - 1; other++) {
      joinFirst("cn" + other, clientsOf(other), expected);
    }
  }

  /** A fenced compute node joins again. */
  private void joinFirst(String name, List<Integer> clients, int[] expected) {
    SimNode node = world.addNode(name);
    faults.setClock(node);
    world.spawn(
        node,
        "join",
        () -> {
          Cluster joined = tryToJoin(node);
          if (joined == null) {
            followJoining(() -> joinFirst(name + " again", clients, expected));
            return;
          }
          begin(joined, clients);
          if (--expected[0] == 0) {
            beginFaults();
          }
        });
  }

  private void begin(Cluster cluster, List<Integer> clients) {
    for (int client : clients) {
      boolean isLater = joins > 0;
      long wanted = scenario.transactions() - runCounts.done[client];
      wanted = Math.max(wanted, isLater ? COMMITS_AFTER : 0);
      ClientLoop loop =
          new ClientLoop(
              scenario,
              cluster,
              cluster.node(),
              workload,
              client,
              runCounts,
              wanted,
              () -> false,
              () -> leaving.contains(cluster));
      SimTask task = world.spawn(cluster.node(), "client-" + client, () -> run(loop, cluster));
      faults.addVictim(task);
      clientTasks.add(new ClientTask(cluster, client, task));
    }
    if (scenario.cluster().schema().isChanging()) {
      SchemaLoop loop =
          new SchemaLoop(
              cluster, cluster.node().name(), workload, runCounts, () -> isWorking(cluster));
      SimTask task = world.spawn(cluster.node(), "schema", loop::run);
      faults.addVictim(task);
      clientTasks.add(new ClientTask(cluster, -1, task));
    }
  }

  /**
   * A client that has lost the pool starts an observer of its compute node: the loss may not be
   * known elsewhere.
   */
  private void run(ClientLoop loop, Cluster cluster) {
    boolean isLost = loop.run();
    if (isLost) {
      if (!scenario.faults().throwsSomething()) {
        cluster.checkNotStopped();
      }
      letGo(cluster);
    }
    if (isLost && !slow.contains(cluster) && observed.add(cluster)) {
      world.spawn(
          world.addNode("observer of " + cluster.node().name()),
          "observer",
          () -> observe(cluster, false, 0));
    }
  }

  /** No throwable is injected a second time here. */
  private void letGo(Cluster cluster) {
    faults.spare(world.current());
    try {
      cluster.letGo();
    } catch (RuntimeException | Error e) {
      if (!Injected.isCauseOf(e)) {
        throw e;
      }
    }
  }

  private boolean isVacant() {
    return any.together().stream().noneMatch(Cluster::isServed);
  }

  private void followJoining(Runnable another) {
    if (isVacant()) {
      onLost.run();
    } else {
      another.run();
    }
  }

  private boolean isWorking(Cluster cluster) {
    return clientTasks.stream()
        .anyMatch(each -> each.cluster == cluster && each.isClient() && each.task.isAlive());
  }

  private void crashSoon() {
    List<ClientTask> victims =
        clientTasks.stream().filter(each -> each.task.isAlive() && mayCrash(each.cluster)).toList();
    if (crashesLeft == 0 || victims.isEmpty()) {
      return;
    }
    crashesLeft--;
    ClientTask victim = victims.get(random.nextInt(victims.size()));
    StopPoint point = drawPoint(plan.within());
    boolean isSlow = plan.how() == CrashPlan.How.SLOW || random.chance(0.3);
    if (plan.rare() > 0 && random.chance(plan.rare())) {
      faults.atRareStep(
          1 + random.nextInt(RARE_STEPS),
          task -> mayCrash(clusterOf(task)),
          task -> crash(clusterOf(task), task, new StopPoint(StopPoint.Kind.POST, 1), isSlow));
      return;
    }
    SimTask where = random.chance(plan.background()) ? backgroundOf(victim) : victim.task;
    crashAt(point, victim.cluster, where, isSlow);
  }

  private void crashAt(StopPoint point, Cluster dying, SimTask where, boolean isSlow) {
    faults.at(
        where,
        point,
        () -> {
          if (plan.isInside(where.thread())) {
            crash(dying, where, point, isSlow);
          } else {
            crashAt(new StopPoint(point.kind(), 1), dying, where, isSlow);
          }
        });
  }

  private boolean mayCrash(Cluster clusterOrNull) {
    return any.together().contains(clusterOrNull)
        && !slow.contains(clusterOrNull)
        && !observed.contains(clusterOrNull);
  }

  private Cluster clusterOf(SimTask task) {
    for (Cluster each : any.together()) {
      if (each.node() == task.node()) {
        return each;
      }
    }
    return null;
  }

  private SimTask backgroundOf(ClientTask client) {
    List<SimTask> tasks =
        world.tasks().stream()
            .filter(each -> each.node() == client.cluster.node())
            .filter(each -> each.isAlive() && !each.isForeground())
            .toList();
    return tasks.isEmpty() ? client.task : tasks.get(random.nextInt(tasks.size()));
  }

  private StopPoint drawPoint(int within) {
    StopPoint.Kind[] kinds = StopPoint.Kind.values();
    return new StopPoint(kinds[random.nextInt(kinds.length)], 1 + random.nextInt(within));
  }

  private void crash(Cluster dead, SimTask where, StopPoint point, boolean isSlow) {
    if (slow.contains(dead)) {
      stopped.add(dead); // its observer replaces it
      faults.stopNodeOf(where, point);
      any.mourn(dead);
      return;
    }
    boolean isOver = clientTasks.stream().noneMatch(each -> each.task.isAlive());
    if (isOver || observed.contains(dead) || staying() < 2) {
      return;
    }
    if (plan.how() == CrashPlan.How.LINK) {
      faults.loseNextVerbOf(where); // a client that notices it starts the observer
      return;
    }
    observed.add(dead);
    long pause = isSlow ? 1 + random.nextLong(plan.pauseLeases() * lease) : 0;
    if (isSlow) {
      faults.pauseNode(dead.node(), pause);
      slow.add(dead);
    } else {
      faults.stopNodeOf(where, point);
      any.mourn(dead);
    }
    world.spawn(
        world.addNode("observer-" + crashesLeft),
        "observer",
        () -> observe(dead, isSlow, world.now() + pause + SURVIVED_LEASES * lease));
    if (random.chance(0.3)) {
      crashSoon();
    }
  }

  private void observe(Cluster dead, boolean isSlow, long survivedUntil) {
    while (!dead.isGone()) {
      if (isVacant()) {
        onLost.run();
        return;
      }
      if (isSlow && world.now() > survivedUntil && !stopped.contains(dead)) {
        slow.remove(dead);
        observed.remove(dead);
        crashSoon();
        return;
      }
      world.sleepUntil(world.now() + LOOK_NANOS);
    }
    if (isSlow) {
      faults.countFenced();
    } else {
      faults.stopTasksOf(
          dead.node(), null); // some tasks may not have detected that the engine has stopped
    }
    any.mourn(dead);
    faults.countTakeover();
    replace(dead);
    crashSoon();
  }

  private void replace(Cluster dead) {
    SimNode node = world.addNode("cn-joined-" + ++joins);
    faults.setClock(node);
    SimTask joining = world.spawn(node, "join", () -> join(node, dead));
    if (scenario.losesComputeNodes() && random.chance(0.3)) {
      StopPoint point = drawPoint(JOIN_STEPS);
      faults.at(
          joining,
          point,
          () -> {
            faults.stopNodeOf(joining, point);
            world.spawn(world.addNode("observer"), "observer", () -> replace(dead));
          });
    }
  }

  /**
   * Returns null if the node lost the pool while joining, in which case none of its state remains.
   */
  private Cluster tryToJoin(SimNode node) {
    try {
      Cluster joined = any.join(node);
      watch(joined);
      return joined;
    } catch (RuntimeException | Error e) {
      if (!TransactionFailed.isLoss(e) && !Injected.isCauseOf(e)) {
        throw e;
      }
      faults.spare(world.current());
      faults.stopTasksOf(node, world.current());
      any.together().stream().filter(each -> each.node() == node).toList().forEach(any::mourn);
      return null;
    }
  }

  private void join(SimNode node, Cluster dead) {
    Cluster joined = tryToJoin(node);
    if (joined == null) {
      followJoining(() -> replace(dead));
      return;
    }
    faults.spare(world.current());
    List<Integer> clients = new ArrayList<>();
    for (ClientTask each : clientTasks) {
      if (each.cluster == dead && each.isClient()) {
        clients.add(each.client);
      }
    }
    begin(joined, clients);
  }
}
