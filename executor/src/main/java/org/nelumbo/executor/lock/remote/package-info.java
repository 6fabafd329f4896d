/**
 * Locks on many compute nodes (LOTUS sections 4.1, 4.2 and 6). Each shard of the keys has an owner,
 * whose lock table decides on the locks of the shard, for local transactions and for transactions
 * of other compute nodes.
 *
 * <pre>
 *   transaction -> LockAcquirer -> own shard:    LockTable
 *                               -> other shards: CoordinatorLocks -> message -> LockService -> LockTable
 *                                                                                  (of the owner)
 * </pre>
 *
 * <p>{@link org.nelumbo.executor.lock.remote.ShardMap} defines the owner of each shard, under an
 * epoch. {@link org.nelumbo.executor.lock.remote.ClusterLocks} is the part of one compute node: it
 * contains the map, the {@link org.nelumbo.executor.lock.remote.CoordinatorLocks} of its
 * coordinators, and the {@link org.nelumbo.executor.lock.remote.LockService} for other compute
 * nodes.
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>An owner grants only locks of shards that it owns by its map and has not frozen, and only
 *       to members of its map whose own map has no later epoch.
 *   <li>A request is judged once: a coordinator numbers its requests, and an owner keeps the last
 *       one until a later one arrives. An unlock contains the number of the request that was
 *       granted.
 *   <li>A granted lock is used only if the requester's map says that its granter has owned the
 *       shard ever since.
 *   <li>A shard moves when none of its locks is held. A shard of a failed owner gets a new owner
 *       when no transaction that holds a lock of it can still commit.
 *   <li>Locks of a failed compute node are released when it is fenced and recovered.
 * </ol>
 */
package org.nelumbo.executor.lock.remote;
