/**
 * The memory pool as compute nodes see it: addresses and one-sided verbs, nothing else. It is the
 * lowest layer of the storage module and depends on no other package of it.
 *
 * <p>Entry point: {@link org.nelumbo.dm.pool.Fabric}, which opens {@link
 * org.nelumbo.dm.pool.Channel}s. Order of calls on a channel:
 *
 * <ol>
 *   <li>{@code mark} the staging stack and {@code reserve} bytes for the data to read or write;
 *   <li>post READ, WRITE, CAS and FAA, each with a {@link org.nelumbo.dm.pool.PoolAddress} and a
 *       staging offset;
 *   <li>{@code flush}: returns when all posted verbs are done. One flush is one round trip, however
 *       many verbs and nodes it has;
 *   <li>read the results from the staging buffer, then {@code release} it.
 * </ol>
 *
 * <p>Invariants, which the conformance kit ({@code FabricConformanceTest}) checks for every fabric:
 *
 * <ul>
 *   <li>verbs to one node take effect in posted order, verbs to different nodes in any order;
 *   <li>only CAS, FAA and {@code writeLong} on aligned words are atomic; a READ may be torn between
 *       words by a concurrent WRITE;
 *   <li>a flush that fails throws {@link org.nelumbo.dm.pool.FabricException}, and the effect of
 *       its verbs is unknown.
 * </ul>
 *
 * <p>The other classes wrap a fabric. {@link org.nelumbo.dm.pool.CountingFabric} counts verbs,
 * bytes and round trips by label. {@link org.nelumbo.dm.pool.FailStopFabric} fails permanently
 * after the first failed flush. {@link org.nelumbo.dm.pool.NodeConnection} is the connection to a
 * single memory node; a replicated fabric has several.
 *
 * <p><b>Threads.</b> A fabric is thread-safe. A channel is used by one thread at a time.
 */
package org.nelumbo.dm.pool;
