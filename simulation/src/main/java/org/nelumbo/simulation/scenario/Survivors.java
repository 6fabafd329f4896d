package org.nelumbo.simulation.scenario;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.fabric.SimPool;
import org.nelumbo.simulation.fault.CrashPlan;
import org.nelumbo.simulation.fault.FaultInjector;
import org.nelumbo.simulation.fault.StopPoint;
import org.nelumbo.simulation.workload.Workload;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The compute nodes of a run that have the pool together, each with some of the workload's clients.
 * As the crash plan has it one of them dies, or is slow and taken for dead. One of the others
 * fences and recovers it while they all work on; then a new one joins, and goes on with its
 * clients.
 */
final class Survivors {
  /** Each client goes on for so many commits after a death, at least. */
  private static final long COMMITS_AFTER = 5;

  private final Scenario scenario;
  private final SimWorld world;
  private final FaultInjector faults;
  private final Workload workload;
  private final RunCounts runCounts;
  private final CrashPlan plan;
  private final SimRandom random;

  /** One of them: to join by. */
  private final Cluster any;

  private final List<ClientTask> clientTasks = new ArrayList<>();
  private int crashesLeft;
  private int joins;

  /** A client, where it runs. */
  private record ClientTask(Cluster cluster, int client, SimTask task) {}

  Survivors(
      Scenario scenario,
      SimPool pool,
      FaultInjector faults,
      Workload workload,
      RunCounts runCounts,
      Cluster any) {
    this.scenario = scenario;
    this.world = pool.world();
    this.faults = faults;
    this.workload = workload;
    this.runCounts = runCounts;
    this.plan = scenario.crashes();
    this.random = world.random("deaths");
    this.any = any;
    this.crashesLeft = plan.count();
  }

  /** Has each of them go on with its share of the clients. */
  void begin(List<Cluster> together) {
    for (int i = 0; i < together.size(); i++) {
      List<Integer> clients = new ArrayList<>();
      for (int client = i; client < scenario.workload().clients(); client += together.size()) {
        clients.add(client);
      }
      begin(together.get(i), clients);
    }
    crashSoon();
  }

  /** Has a compute node go on with some clients. */
  private void begin(Cluster cluster, List<Integer> clients) {
    for (int client : clients) {
      boolean isLater = joins > 0;
      long wanted = scenario.transactions() - runCounts.done[client];
      wanted = Math.max(wanted, isLater ? COMMITS_AFTER : 0);
      ClientLoop loop =
          new ClientLoop(
              scenario, cluster, cluster.node(), workload, client, runCounts, wanted, () -> false);
      SimTask task = world.spawn(cluster.node(), "client-" + client, loop::run);
      faults.addVictim(task);
      clientTasks.add(new ClientTask(cluster, client, task));
    }
  }

  /** Draws who is going to die, and where. */
  private void crashSoon() {
    List<ClientTask> victims =
        clientTasks.stream()
            .filter(each -> each.task.isAlive() && any.together().contains(each.cluster))
            .toList();
    if (crashesLeft == 0 || victims.isEmpty()) {
      return;
    }
    crashesLeft--;
    ClientTask victim = victims.get(random.nextInt(victims.size()));
    StopPoint.Kind[] kinds = StopPoint.Kind.values();
    StopPoint.Kind kind = kinds[random.nextInt(kinds.length)];
    StopPoint point = new StopPoint(kind, 1 + random.nextInt(plan.within()));
    boolean isSlow = random.chance(0.3);
    faults.at(victim.task, point, () -> crash(victim, point, isSlow));
  }

  private void crash(ClientTask victim, StopPoint point, boolean isSlow) {
    if (any.together().size() == 1) {
      return;
    }
    long delay = 1 + random.nextLong(plan.takeover());
    if (isSlow) {
      faults.pauseNode(victim.cluster.node(), delay + random.nextLong(2 * plan.takeover()));
      faults.countFenced();
    } else {
      faults.stopNodeOf(victim.task, point);
    }
    List<Cluster> living = any.together().stream().filter(each -> each != victim.cluster).toList();
    Cluster survivor = living.get(random.nextInt(living.size()));
    world.spawn(
        survivor.node(),
        "recovery",
        () -> {
          world.sleepUntil(world.now() + delay);
          survivor.recover(victim.cluster);
          faults.countTakeover();
          goOn(survivor, victim.cluster);
          crashSoon();
        });
  }

  /** A new compute node joins, and goes on with the clients of a dead one. */
  private void goOn(Cluster survivor, Cluster dead) {
    SimNode node = world.addNode("cn-joined-" + ++joins);
    faults.setClock(node);
    Cluster joined = survivor.join(node);
    List<Integer> clients = new ArrayList<>();
    for (ClientTask each : clientTasks) {
      if (each.cluster == dead) {
        clients.add(each.client);
      }
    }
    begin(joined, clients);
  }
}
