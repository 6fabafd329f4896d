/**
 * Copies of a pool on several memory nodes. {@link org.nelumbo.dm.fabric.replica.ReplicatedFabric}
 * presents logical nodes to the engine and keeps each on several memory nodes: WRITEs go to all of
 * them in one round trip, READs to the first. A memory node that fails is left out by a new view,
 * one that comes back is filled while work goes on. How, and why it is right, is told in {@code
 * docs/replication.md}.
 */
package org.nelumbo.dm.fabric.replica;
