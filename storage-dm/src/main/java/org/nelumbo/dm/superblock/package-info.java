/**
 * The superblock of a pool, in the first page of its memory nodes: format, name, owner. Its layout
 * is {@link org.nelumbo.dm.layout.SuperblockLayout}.
 *
 * <p>Order of calls to open a pool:
 *
 * <ol>
 *   <li>{@link org.nelumbo.dm.superblock.PoolFormat#isComplete}: is there a pool, and can this
 *       version read it? If there is none, {@code format}, write the catalogue, then {@code
 *       complete}, which makes the pool valid;
 *   <li>{@link org.nelumbo.dm.superblock.PoolName#check}: is it the pool that the caller means?
 *   <li>{@link org.nelumbo.dm.superblock.PoolOwner#take} raises the epoch and writes the new owner;
 *       {@code leave} records a clean shutdown.
 * </ol>
 *
 * <p>If the process that makes a pool fails, the pool is not complete and may be formatted again.
 * The fabric keeps a second compute node out; this package does not. The methods are static, each
 * with a channel of its own, and are called by one thread while a pool is opened or closed.
 */
package org.nelumbo.dm.superblock;
