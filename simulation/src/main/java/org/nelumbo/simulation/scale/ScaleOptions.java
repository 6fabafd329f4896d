package org.nelumbo.simulation.scale;

import org.nelumbo.executor.timestamp.ClockKind;
import org.nelumbo.simulation.fabric.FabricModel;

/**
 * The options of a run.
 *
 * @param mix transactions of the clients
 * @param routing where the transactions run
 * @param computeNodes number of compute nodes
 * @param memoryNodes number of memory nodes
 * @param copies number of copies of the data
 * @param threads threads of each compute node, each on a processor of its own; 0: work takes no
 *     time
 * @param clients clients of each thread, or of each compute node if work takes no time; each has
 *     one transaction at a time
 * @param homesFrom number of the first home
 * @param recordCacheBytes record cache of each compute node
 * @param clock clock of the pool, if there are several compute nodes
 * @param fabric model of the network and of processors
 * @param nanos measured virtual time, nanoseconds
 * @param deaths compute nodes that fail at once, in the middle of the run
 * @param seed seed of the world
 * @param verbs whether the verbs are counted by transaction type and posting method
 */
record ScaleOptions(
    Mix mix,
    Routing routing,
    int computeNodes,
    int memoryNodes,
    int copies,
    int threads,
    int clients,
    long homesFrom,
    long recordCacheBytes,
    ClockKind clock,
    FabricModel fabric,
    long nanos,
    int deaths,
    long seed,
    boolean verbs) {
  int clientsOfNode() {
    return Math.max(1, threads) * clients;
  }
}
