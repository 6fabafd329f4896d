/**
 * Caches for data that was read from the pool, where a round trip is expensive.
 *
 * <p>{@link org.nelumbo.executor.cache.ReadCaches} are the caches of the compute node: CVTs of the
 * rows whose locks it grants, and their addresses (LOTUS sections 4.4 and 5), in {@link
 * org.nelumbo.executor.cache.CvtCache}; records in {@link org.nelumbo.executor.cache.RecordCache}.
 * {@link org.nelumbo.executor.cache.TransactionReadCache} contains the data that one transaction
 * keeps until it ends: records, keys without a row, leaves read ahead.
 *
 * <p>On a local fabric, where a cache would only add a memory access, the caches exist and are
 * always empty ({@code ReadCaches.NONE}), so that callers need no null checks.
 *
 * <p>A cached CVT is never older than a write (invariant 9): writers follow the order of calls at
 * {@code CvtCache}, and only one reader fills it, {@code version.CvtLoader}. A record is found by
 * address and version, so it cannot be another one. The node's caches are thread-safe; a
 * transaction's cache belongs to one thread.
 */
package org.nelumbo.executor.cache;
