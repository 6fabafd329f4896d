/**
 * The compute nodes that share a pool, and what they agree on: who they are, who decides on the
 * locks of which shards, and how far the removal of a dead one has come (LOTUS sections 4.2 and 6,
 * Pandora section 3.2). The record of it is in memory of the pool; everybody follows it.
 */
package org.nelumbo.executor.cluster;
