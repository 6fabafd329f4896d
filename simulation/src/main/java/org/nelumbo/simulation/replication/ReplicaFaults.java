package org.nelumbo.simulation.replication;

import java.util.List;
import org.nelumbo.simulation.fabric.SimLink;
import org.nelumbo.simulation.fault.FaultInjector;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * An injector of the faults of a plan into memory nodes and their network, by two threads, until a
 * virtual time. Afterwards all nodes are up, and the network is whole. Memory is lost only while
 * all nodes are live, so there is always a copy of acknowledged data. Less than half of a compute
 * node's links are cut at a time, unless the plan isolates compute nodes.
 */
public final class ReplicaFaults {
  /** Probability that one of a compute node's links is cut when it attaches. */
  private static final double CUT_AT_FIRST = 0.5;

  private static final int WAYS = 3;

  private final SimReplicas nodes;
  private final ReplicaPlan plan;
  private final FaultInjector faults;
  private final SimWorld world;
  private final long until;

  /**
   * Creates faults that have not begun.
   *
   * @param until virtual time after which no fault begins
   */
  public ReplicaFaults(SimReplicas nodes, ReplicaPlan plan, FaultInjector faults, long until) {
    this.nodes = nodes;
    this.plan = plan;
    this.faults = faults;
    this.world = nodes.world();
    this.until = until;
  }

  /** Starts the threads. */
  public void start() {
    SimNode fate = world.addNode("fate");
    if (plan.stopEvery() > 0) {
      SimRandom random = world.random("memory nodes");
      world.spawn(fate, "memory-nodes", () -> stopAndRestart(random));
    }
    if (plan.cutEvery() > 0) {
      SimRandom random = world.random("links");
      if (!plan.shared()) {
        nodes.setNewLinks(client -> cutAtFirst(client, random));
      }
      world.spawn(fate, "links", () -> cutAndHeal(random));
    }
  }

  private void sleep(long nanos) {
    world.sleepUntil(world.now() + nanos);
  }

  private void stopAndRestart(SimRandom random) {
    for (; ; ) {
      sleep(1 + random.nextLong(2 * plan.stopEvery()));
      if (world.now() > until) {
        return;
      }
      int node = random.nextInt(nodes.nodeCount());
      boolean whole = nodes.isWhole();
      if (nodes.isStopped(node) || nodes.clients().isEmpty() || !canAllSpare(node)) {
        continue;
      }
      nodes.stop(node);
      faults.countMemoryNodeStop();
      sleep(1 + random.nextLong(plan.stop()));
      bringBack(node, whole, random);
    }
  }

  private boolean canAllSpare(int node) {
    return plan.shared()
        ? nodes.canSharersSpare(node)
        : nodes.clients().stream().allMatch(client -> nodes.canSpare(client, node));
  }

  private void bringBack(int node, boolean whole, SimRandom random) {
    if (!whole || random.chance(1.0 / WAYS)) {
      nodes.restartNode(node);
      return;
    }
    faults.countAmnesia();
    if (random.chance(0.5)) {
      nodes.restart(node);
    } else {
      nodes.comeBackAnew(node);
    }
  }

  private void cutAndHeal(SimRandom random) {
    for (; ; ) {
      sleep(1 + random.nextLong(2 * plan.cutEvery()));
      if (world.now() > until) {
        return;
      }
      List<SimNode> clients = plan.shared() ? nodes.unharmedSharers() : nodes.clients();
      if (plan.shared() && clients.size() > 1) {
        cutOneOf(clients, random);
      } else if (!plan.shared() && !clients.isEmpty()) {
        int back = random.nextInt(Math.min(2, clients.size()));
        cutOne(clients.get(clients.size() - 1 - back), random);
      }
    }
  }

  private void cutAtFirst(SimNode client, SimRandom random) {
    if (world.now() < until && random.chance(CUT_AT_FIRST)) {
      cutOne(client, random);
    }
  }

  private void cutOne(SimNode client, SimRandom random) {
    int node = random.nextInt(nodes.nodeCount());
    int way = random.nextInt(WAYS);
    long length = 1 + random.nextLong(plan.cut());
    boolean maySpare = plan.isolates() || nodes.canSpare(client, node);
    if (nodes.links(client)[node].isWhole() && maySpare) {
      cut(client, node, way, length);
    }
  }

  /**
   * The links of all compute nodes are whole. Often cuts the link to the first memory node, which
   * has the clock and the configuration.
   */
  private void cutOneOf(List<SimNode> sharers, SimRandom random) {
    SimNode client = sharers.get(random.nextInt(sharers.size()));
    int way = random.nextInt(WAYS);
    int node = random.chance(0.5) ? 0 : random.nextInt(nodes.nodeCount());
    cut(client, node, way, 1 + random.nextLong(plan.cut()));
  }

  private void cut(SimNode client, int node, int way, long length) {
    SimLink link = nodes.links(client)[node];
    link.cut(way != 0, way != 1);
    faults.countCut();
    nodes.linkWasCut();
    world.at(world.now() + length, link::heal);
  }
}
