/**
 * The simulated fabric: memory nodes whose verbs take effect at virtual times that a model of the
 * network and its RNICs gives, torn, interleaved and late as real ones are. Passes the conformance
 * kit of {@code org.nelumbo.dm.pool}.
 *
 * <p>{@link org.nelumbo.simulation.fabric.SimFabric} holds the memory nodes; a compute node
 * attaches to it and opens {@link org.nelumbo.simulation.fabric.SimChannel}s. A posted verb goes to
 * its queue pair, gets its time of effect from {@code VerbTimes} with the numbers of a {@link
 * org.nelumbo.simulation.fabric.FabricModel}, and lands as an event of the world; a flush waits in
 * virtual time for the last answer. {@link org.nelumbo.simulation.fabric.FaultHooks} is where
 * faults come in.
 *
 * <p><b>Invariants.</b> Verbs of one queue pair to one node take effect in the order they were
 * posted. A verb of a stopped coordinator lands or does not, as the seed has it, and none lands
 * after one that was lost. Verbs of a compute node that was taken over have no effect. All of it
 * runs on the carrier of the world.
 */
package org.nelumbo.simulation.fabric;
