package org.nelumbo.simulation.scale;

/**
 * The options of a run.
 *
 * @param mix transactions of the clients
 * @param routing where the transactions run
 * @param computeNodes number of compute nodes
 * @param memoryNodes number of memory nodes
 * @param clients clients of each compute node; each has one transaction at a time
 * @param fabric preset of the network
 * @param nanos measured virtual time, nanoseconds
 * @param deaths compute nodes that fail at once, in the middle of the run
 * @param seed seed of the world
 */
record ScaleOptions(
    Mix mix,
    Routing routing,
    int computeNodes,
    int memoryNodes,
    int clients,
    String fabric,
    long nanos,
    int deaths,
    long seed) {}
