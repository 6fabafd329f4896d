/**
 * The superblock of a pool, in the first page of its memory nodes: format, name, owner. The bytes
 * are those of {@link org.nelumbo.dm.layout.SuperblockLayout}.
 *
 * <p>Order of calls, for whoever opens a pool:
 *
 * <ol>
 *   <li>{@link org.nelumbo.dm.superblock.PoolFormat#isComplete}: is there a pool, and is it one
 *       that this version can read? If not, {@code format}, write the catalogue, then {@code
 *       complete}, which makes the pool valid;
 *   <li>{@link org.nelumbo.dm.superblock.PoolName#check}: is it the pool that the caller means?
 *   <li>{@link org.nelumbo.dm.superblock.PoolOwner#take} raises the epoch and enters the new owner;
 *       {@code leave} notes a clean shutdown.
 * </ol>
 *
 * <p>A pool that was being made when its maker died is not complete and may be formatted again. The
 * fabric keeps a second compute node out; nothing here does. Static methods, each with a channel of
 * its own; called by one thread while a pool is opened or closed.
 */
package org.nelumbo.dm.superblock;
