/**
 * The compute nodes that share a pool, and what they agree on: who they are, who decides on the
 * locks of which shards, and how far the removal of a failed one has come (LOTUS sections 4.2 and
 * 6, Pandora section 3.2). The record of it is in memory of the pool; every member follows it.
 *
 * <p>Entry: {@link org.nelumbo.executor.cluster.ClusterMember}, one member and its parts; {@link
 * org.nelumbo.executor.cluster.ClusterConfiguration}, the content of the record.
 */
package org.nelumbo.executor.cluster;
