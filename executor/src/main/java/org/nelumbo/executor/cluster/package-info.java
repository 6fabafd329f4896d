/**
 * Cluster membership: the compute nodes that share a pool, and the configuration on which they
 * agree. It has the members, the owners of the lock shards, and the progress of removing failed
 * members (LOTUS sections 4.2 and 6, Pandora section 3.2). The record is in the memory of the pool,
 * and every member follows it.
 *
 * <p>Entry points: {@link org.nelumbo.executor.cluster.ClusterMember}, one member and its parts,
 * and {@link org.nelumbo.executor.cluster.ClusterConfiguration}, the content of the record.
 */
package org.nelumbo.executor.cluster;
