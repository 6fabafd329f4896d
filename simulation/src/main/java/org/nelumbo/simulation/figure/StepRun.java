package org.nelumbo.simulation.figure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/** A run of a published system on LOTUS's testbed: nine compute nodes and three memory nodes. */
final class StepRun {
  private static final int COMPUTE_NODES = 9;
  private static final int MEMORY_NODES = 3;
  private static final int THREADS = 10;
  private static final long NODE_BYTES = 2 << 20;
  private static final long WARM_NANOS = 1_000_000;

  private final PublishedSystem system;
  private final PublishedMix mix;
  private final long nanos;
  private final SimWorld world;
  private final SimFabric pool;
  private final List<SimNode> computeNodes = new ArrayList<>();
  private long[] latencies = new long[1 << 12];
  private int committed;

  /**
   * The result of a run.
   *
   * @param perSecond transactions in a second of virtual time
   * @param medianNanos median of their latency
   * @param card share of the time for which the busiest card of a memory node worked
   */
  record Result(double perSecond, long medianNanos, double card) {}

  private StepRun(
      PublishedSystem system, PublishedMix mix, FabricModel model, long nanos, long seed) {
    this.system = system;
    this.mix = mix;
    this.nanos = nanos;
    this.world = new SimWorld(seed, Trace.hashing());
    this.pool = new SimFabric(world, model, MEMORY_NODES, NODE_BYTES, new SimMemory());
  }

  /**
   * Runs a number of transactions at a time. Up to ninety of them have threads of their own, more
   * are coroutines of ninety threads.
   *
   * @param concurrent a multiple of nine, above ninety of ninety
   * @param nanos measured virtual time
   */
  static Result run(
      PublishedSystem system,
      PublishedMix mix,
      FabricModel model,
      int concurrent,
      long nanos,
      long seed) {
    StepRun run = new StepRun(system, mix, model, nanos, seed);
    try {
      return run.run(concurrent);
    } finally {
      run.world.close();
      run.pool.release();
    }
  }

  private Result run(int concurrent) {
    int ofNode = concurrent / COMPUTE_NODES;
    int threads = Math.min(THREADS, ofNode);
    for (int i = 0; i < COMPUTE_NODES; i++) {
      SimNode node = world.addNode("cn" + i);
      node.addProcessors(threads);
      computeNodes.add(node);
    }
    for (int self = 0; self < COMPUTE_NODES; self++) {
      SimNode node = computeNodes.get(self);
      Fabric fabric = pool.attach(node);
      for (int client = 0; client < ofNode; client++) {
        int thread = client % threads;
        SimRandom random = world.random(node.name() + " client " + client);
        StepClient steps = new StepClient(pool, fabric, mix, random, computeNodes, self, thread);
        world
            .spawn(node, "client-" + client, () -> transact(steps, random))
            .runOn(node.processors().get(thread));
      }
    }
    double[] busy = new double[MEMORY_NODES];
    world.at(WARM_NANOS, () -> Arrays.setAll(busy, node -> -pool.busyNanos(node)));
    world.at(
        WARM_NANOS + nanos, () -> Arrays.setAll(busy, node -> busy[node] + pool.busyNanos(node)));
    world.run();
    Arrays.sort(latencies, 0, committed);
    return new Result(
        committed * 1e9 / nanos,
        latencies[committed / 2],
        Arrays.stream(busy).max().orElseThrow() / nanos);
  }

  private void transact(StepClient client, SimRandom random) {
    while (world.now() < WARM_NANOS + nanos) {
      long start = world.now();
      List<RowAccess> rows = mix.next(random);
      client.charge(rows.size());
      system.run(client, rows);
      if (world.now() >= WARM_NANOS && world.now() < WARM_NANOS + nanos) {
        if (committed == latencies.length) {
          latencies = Arrays.copyOf(latencies, 2 * committed);
        }
        latencies[committed++] = world.now() - start;
      }
    }
    client.close();
  }
}
