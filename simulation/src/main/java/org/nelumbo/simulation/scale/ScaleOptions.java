package org.nelumbo.simulation.scale;

/**
 * What is run.
 *
 * @param mix what the clients do
 * @param routing where they do it
 * @param computeNodes how many there are
 * @param memoryNodes how many there are
 * @param clients of each compute node; each has one transaction at a time
 * @param fabric preset of the network
 * @param nanos for which it is measured
 * @param deaths compute nodes that die at once, in the middle
 * @param seed of the world
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
