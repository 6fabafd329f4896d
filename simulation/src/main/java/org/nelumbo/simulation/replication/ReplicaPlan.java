package org.nelumbo.simulation.replication;

import org.nelumbo.simulation.config.Settings;

/**
 * The copies of a scenario's pool, and the faults of memory nodes and their network. Times in
 * nanoseconds.
 *
 * @param copies number of copies; 0: the pool is not replicated
 * @param virtualNodes logical nodes for each memory node
 * @param lease time since the last verb of its owner during which a memory node serves no other
 *     compute node
 * @param stopEvery mean time between stops of memory nodes; 0: none
 * @param stop longest time until a memory node restarts
 * @param cutEvery mean time between cuts of the network between a compute node and a memory node;
 *     0: none
 * @param cut longest time until the network is whole again
 * @param isolates whether a compute node may be cut off from most or all memory nodes
 * @param shared whether several compute nodes have the pool at once
 */
public record ReplicaPlan(
    int copies,
    int virtualNodes,
    long lease,
    long stopEvery,
    long stop,
    long cutEvery,
    long cut,
    boolean isolates,
    boolean shared) {
  /** Reads the plan from the keys of a scenario that begin with {@code replicas.}. */
  public static ReplicaPlan of(Settings settings) {
    return new ReplicaPlan(
        settings.integer("replicas.copies", 0),
        settings.integer("replicas.virtual-nodes", 1),
        settings.nanos("replicas.lease", "300us"),
        settings.nanos("replicas.stop.every", "0ns"),
        settings.nanos("replicas.stop.length", "2ms"),
        settings.nanos("replicas.cut.every", "0ns"),
        settings.nanos("replicas.cut.length", "2ms"),
        settings.flag("replicas.cut.isolates", false),
        settings.integer("compute-nodes", 1) > 1);
  }

  /** Returns true if a compute node that shares the pool may be cut off from a memory node. */
  public boolean cutsSharers() {
    return shared && cutEvery > 0;
  }

  public boolean isReplicated() {
    return copies > 0;
  }
}
