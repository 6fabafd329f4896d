package org.nelumbo.simulation.scenario;

import java.util.List;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.ClusterOptions;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.OrphanedState;
import org.nelumbo.simulation.cluster.QuiescenceCheck;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.UnusedMemoryCheck;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.fabric.SimPool;
import org.nelumbo.simulation.fault.FaultInjector;
import org.nelumbo.simulation.replication.ReplicaComparison;
import org.nelumbo.simulation.replication.ReplicaFaults;
import org.nelumbo.simulation.replication.SimReplicas;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.workload.Workload;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimWorld;
import org.nelumbo.simulation.world.SimulationFailure;

/**
 * One run of a scenario with one seed. It sets up the cluster and runs clients and faults. Then it
 * runs the workload's check and the quiescence check; or, if coordinators were stopped, it
 * describes the state that they left.
 */
public final class ScenarioRun {
  private static final int CHECKS_MAX = 50;
  private static final long CHECK_PAUSE_NANOS = 1_000_000;

  private final Scenario scenario;
  private final SimMemory memory;

  /**
   * Creates runs of a scenario on one thread.
   *
   * @param memory memory shared by all of the runs
   */
  public ScenarioRun(Scenario scenario, SimMemory memory) {
    this.scenario = scenario;
    this.memory = memory;
  }

  /**
   * Runs a seed and writes events to the trace. Failures inside the world are returned, never
   * thrown.
   */
  public ScenarioResult run(long seed, Trace trace) {
    SimWorld world = new SimWorld(seed, trace);
    SimNode node = world.addNode("cn0");
    SimPool pool = newPool(world);
    world.setLimits(scenario.timeLimit(), scenario.stepLimit());
    One one = new One(world, node, pool);
    Throwable failure = null;
    try {
      one.run();
    } catch (SimulationFailure e) {
      failure = e;
    } finally {
      one.faults.stopThrowing();
      world.close();
      pool.release();
    }
    return one.result(failure);
  }

  private SimPool newPool(SimWorld world) {
    ClusterOptions cluster = scenario.cluster();
    return scenario.replicas().isReplicated()
        ? SimReplicas.of(
            world,
            scenario.fabric(),
            cluster.memoryNodes(),
            cluster.nodeBytes(),
            memory,
            scenario.replicas())
        : new SimFabric(
            world, scenario.fabric(), cluster.memoryNodes(), cluster.nodeBytes(), memory);
  }

  private final class One {
    private final SimWorld world;
    private final SimNode node;
    private final SimPool pool;
    private final FaultInjector faults;
    private final Workload workload;
    private final RunCounts runCounts = new RunCounts(scenario.workload().clients());
    private Cluster first;
    private final Takeovers takeovers;
    private String wreckage = "";

    One(SimWorld world, SimNode node, SimPool pool) {
      this.world = world;
      this.node = node;
      this.pool = pool;
      this.workload = scenario.newWorkload(world);
      this.faults = new FaultInjector(pool, scenario.faults());
      this.takeovers = new Takeovers(scenario, pool, faults, workload, runCounts);
    }

    void run() {
      world.run(node, "setup", this::setUp);
      takeovers.begin(node, first);
      faults.start();
      if (scenario.cluster().computeNodes() == 1) {
        faults.startThrowing();
      } // otherwise as soon as all have joined
      if (pool instanceof SimReplicas replicas) {
        new ReplicaFaults(replicas, scenario.replicas(), faults, scenario.faults().until()).start();
      }
      if (scenario.faults().stopsCoordinators()) {
        world.runFor(scenario.stopAfter());
        SimNode observer = world.addNode("observer");
        world.runUntilFinished(
            world.spawn(observer, "wreckage", () -> wreckage = OrphanedState.of(first).describe()));
        return;
      }
      world.run();
      faults.stopThrowing();
      world.run(world.addNode("checks"), "checks", this::check);
    }

    private void setUp() throws Exception {
      first = Cluster.open(pool, node, scenario.cluster());
      if (scenario.cluster().computeNodes() > 1 && world.random("founding").chance(0.5)) {
        for (int other = 1; other < scenario.cluster().computeNodes(); other++) {
          SimNode joining = world.addNode("cn" + other);
          faults.setClock(joining);
          first.join(joining);
        }
      } // otherwise the other compute nodes join while clients work
      first.awaitBalance();
      try (ClusterSession clusterSession = first.newSession()) {
        workload.load(clusterSession);
      }
    }

    private void check() throws Exception {
      Cluster last = takeovers.reachable();
      if (scenario.faults().throwsSomething()) {
        // An injected throwable may have leaked memory; the next compute node finds it.
        if (isServing(last)) {
          last.awaitBalance();
          QuiescenceCheck.checkLocks(last);
        }
        last = takeovers.next();
      } else if (scenario.replicas().isReplicated() && scenario.cluster().computeNodes() == 1) {
        last = takeovers.next(); // it reads the state of the copies
      }
      checkOn(last);
      boolean isTogether = scenario.cluster().computeNodes() > 1 && !takeovers.hasCollapsed();
      if (pool instanceof SimReplicas replicas && isTogether) {
        replicas.awaitWhole();
        ReplicaComparison.check(replicas);
      }
      if (isTogether && scenario.losesComputeNodes() && !scenario.faults().throwsSomething()) {
        // Memory of failed compute nodes is unowned; the next compute node, which is alone, finds
        // it.
        UnusedMemoryCheck unused = UnusedMemoryCheck.of(last);
        last = takeovers.next();
        unused.checkFreeAt(last);
        checkOn(last);
      }
      leaveTo(last);
      QuiescenceCheck.check(last);
    }

    private void leaveTo(Cluster last) throws Exception {
      List<Cluster> others = last.together().stream().filter(each -> each != last).toList();
      others.forEach(Cluster::leave);
      if (!others.isEmpty()) {
        checkOn(last);
      }
    }

    private void checkOn(Cluster last) throws Exception {
      last.awaitBalance();
      for (Cluster each : last.together()) {
        checkPatiently(each);
      }
    }

    /**
     * Locks of a transaction that has ended may still be on their way to their owner; so conflicts
     * are retried in a shared pool.
     */
    private void checkPatiently(Cluster cluster) throws Exception {
      for (int attempt = 1; ; attempt++) {
        try (ClusterSession clusterSession = cluster.newSession()) {
          workload.check(clusterSession);
          return;
        } catch (TransactionFailed failed) {
          boolean isConflict = failed.reason() == TransactionFailed.Reason.CONFLICT;
          if (!isConflict || scenario.cluster().computeNodes() == 1 || attempt == CHECKS_MAX) {
            throw failed;
          }
        }
        world.sleepUntil(world.now() + CHECK_PAUSE_NANOS);
      }
    }

    private boolean isServing(Cluster last) throws TransactionFailed {
      try (ClusterSession clusterSession = last.newSession()) {
        clusterSession.begin(scenario.workload().isolation(), false);
        clusterSession.read(0, false);
        clusterSession.commit();
        return true;
      } catch (TransactionFailed failed) {
        if (!failed.isLost()) {
          throw failed;
        }
        return false;
      } catch (RuntimeException e) {
        if (!TransactionFailed.isLoss(e)) {
          throw e;
        }
        return false;
      }
    }

    ScenarioResult result(Throwable failure) {
      return new ScenarioResult(
          world.seed(),
          runCounts.committed,
          runCounts.conflicts,
          runCounts.exhausted,
          runCounts.lost,
          runCounts.unknown,
          runCounts.schemaChanges,
          runCounts.schemaRefusals,
          world.now(),
          world.steps(),
          pool.verbs(),
          pool.flushes(),
          world.locksHeldAcrossWaits().size(),
          world.trace().hash(),
          faults.counts(),
          wreckage,
          failure);
    }
  }
}
