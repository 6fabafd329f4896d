/**
 * Memory nodes that keep copies of each other, in a simulated world. They stop and restart empty,
 * with their memory, or with older content, and the network between each of them and each compute
 * node is cut now and then.
 *
 * <p>{@link org.nelumbo.simulation.replication.SimReplicas} is the pool; the production replication
 * runs above it, unmodified. {@link org.nelumbo.simulation.replication.ReplicaFaults} injects the
 * faults of a {@link org.nelumbo.simulation.replication.ReplicaPlan}.
 *
 * <p><b>Invariant.</b> Faults stay within the guarantees of replication.
 */
package org.nelumbo.simulation.replication;
