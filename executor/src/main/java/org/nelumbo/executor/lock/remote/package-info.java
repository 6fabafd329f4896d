/**
 * Locks on many compute nodes (LOTUS sections 4.1, 4.2 and 6): each shard of the keys has an owner,
 * whose lock table decides on the locks of the shard, for its own transactions and for those of
 * others.
 *
 * <pre>
 *   transaction -> LockAcquirer -> own shard:    LockTable
 *                               -> other shards: CoordinatorLocks -> message -> LockService -> LockTable
 *                                                                                  (of the owner)
 * </pre>
 *
 * <p>{@link org.nelumbo.executor.lock.remote.ShardMap} says who owns what, under an epoch. {@link
 * org.nelumbo.executor.lock.remote.ClusterLocks} is the part of one compute node: it has the map,
 * the {@link org.nelumbo.executor.lock.remote.CoordinatorLocks} of its coordinators, and the {@link
 * org.nelumbo.executor.lock.remote.LockService} that serves others.
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>An owner grants only what it owns by its map, and has not frozen, to members of its map
 *       that know of no later epoch.
 *   <li>A request is judged once: requests of a coordinator are numbered, and an owner forgets none
 *       but for a later one. An unlock names the request that was granted.
 *   <li>What is granted is used only if the requester's map says that its granter has owned the
 *       shard ever since.
 *   <li>A shard moves when none of its locks is held; a shard whose owner has died is given away
 *       when no transaction that holds a lock of it can still commit.
 *   <li>Locks of a compute node that has died are released when it is fenced and recovered.
 * </ol>
 */
package org.nelumbo.executor.lock.remote;
