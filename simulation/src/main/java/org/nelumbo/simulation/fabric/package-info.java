/**
 * The simulated fabric: memory nodes whose verbs take effect at virtual times, given by a model of
 * the network and its RNICs. Verbs are torn, interleaved and delayed as real ones are. The fabric
 * passes the conformance kit of {@code org.nelumbo.dm.pool}.
 *
 * <p>{@link org.nelumbo.simulation.fabric.SimFabric} holds the memory nodes; a compute node
 * attaches to it and opens {@link org.nelumbo.simulation.fabric.SimChannel}s. A posted verb is
 * added to its queue pair, gets its time of effect from {@code VerbTimes} with the numbers of a
 * {@link org.nelumbo.simulation.fabric.FabricModel}, and lands as an event of the world. A flush
 * waits in virtual time for the last reply. {@link org.nelumbo.simulation.fabric.FaultHooks}
 * injects faults.
 *
 * <p><b>Invariants.</b> Verbs of one queue pair to one node take effect in the order of posting.
 * The seed determines whether a verb of a stopped coordinator lands, and no verb lands after a lost
 * one. Verbs of a compute node whose pool was taken over have no effect. All code runs on the
 * carrier of the world.
 */
package org.nelumbo.simulation.fabric;
