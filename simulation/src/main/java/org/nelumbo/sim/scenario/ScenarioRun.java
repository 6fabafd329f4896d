package org.nelumbo.sim.scenario;

import org.nelumbo.sim.cluster.Cluster;
import org.nelumbo.sim.cluster.Quiescence;
import org.nelumbo.sim.cluster.Rows;
import org.nelumbo.sim.cluster.Wreckage;
import org.nelumbo.sim.fabric.SimFabric;
import org.nelumbo.sim.fabric.SimMemory;
import org.nelumbo.sim.fault.FaultInjector;
import org.nelumbo.sim.trace.Trace;
import org.nelumbo.sim.workload.Workload;
import org.nelumbo.sim.world.SimNode;
import org.nelumbo.sim.world.SimWorld;
import org.nelumbo.sim.world.SimulationFailure;

/**
 * One run of a scenario with one seed: set up, clients beside faults, then the workload's own check
 * and that of quiescence; or, if somebody was stopped, a description of what is left.
 */
public final class ScenarioRun {
  private final Scenario scenario;
  private final SimMemory memory;

  /**
   * Runs of a scenario on one thread.
   *
   * @param memory used for all of them
   */
  public ScenarioRun(Scenario scenario, SimMemory memory) {
    this.scenario = scenario;
    this.memory = memory;
  }

  /** Runs a seed; events go into the trace. Never throws for what happens inside the world. */
  public RunResult run(long seed, Trace trace) {
    SimWorld world = new SimWorld(seed, trace);
    SimNode node = world.addNode("cn0");
    SimFabric fabric =
        new SimFabric(
            world,
            scenario.fabric(),
            scenario.cluster().memoryNodes(),
            scenario.cluster().nodeBytes(),
            memory);
    world.setLimits(scenario.timeLimit(), scenario.stepLimit());
    One one = new One(world, node, fabric);
    Throwable failure = null;
    try {
      one.run();
    } catch (SimulationFailure e) {
      failure = e;
    } finally {
      world.close();
      fabric.release();
    }
    return one.result(failure);
  }

  /** What belongs to one run. */
  private final class One {
    private final SimWorld world;
    private final SimNode node;
    private final SimFabric fabric;
    private final FaultInjector faults;
    private final Workload workload;
    private final Tally tally = new Tally(scenario.workload().clients());
    private Cluster first;
    private final Succession succession;
    private String wreckage = "";

    One(SimWorld world, SimNode node, SimFabric fabric) {
      this.world = world;
      this.node = node;
      this.fabric = fabric;
      this.workload = scenario.newWorkload(world::now);
      this.faults = new FaultInjector(fabric, scenario.faults());
      this.succession = new Succession(scenario, fabric, faults, workload, tally);
    }

    void run() {
      world.run(node, "setup", this::setUp);
      succession.begin(node, first);
      faults.start();
      if (scenario.faults().stopsCoordinators()) {
        world.runFor(scenario.stopAfter());
        SimNode observer = world.addNode("observer");
        world.runUntilFinished(
            world.spawn(observer, "wreckage", () -> wreckage = Wreckage.of(first).describe()));
        return;
      }
      world.run();
      world.run(succession.node(), "checks", this::check);
    }

    private void setUp() throws Exception {
      first = Cluster.open(fabric, node, scenario.cluster());
      try (Rows rows = first.newRows()) {
        workload.load(rows);
      }
    }

    private void check() throws Exception {
      Cluster last = succession.reachable();
      try (Rows rows = last.newRows()) {
        workload.check(rows);
      }
      Quiescence.check(last);
    }

    RunResult result(Throwable failure) {
      return new RunResult(
          world.seed(),
          tally.committed,
          tally.conflicts,
          tally.exhausted,
          tally.lost,
          tally.unknown,
          world.now(),
          world.steps(),
          fabric.verbs(),
          fabric.flushes(),
          world.locksHeldAcrossWaits().size(),
          world.trace().hash(),
          faults.counts(),
          wreckage,
          failure);
    }
  }
}
