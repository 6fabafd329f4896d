/**
 * Caches of what was read from the pool, where a round trip is expensive.
 *
 * <p>{@link org.nelumbo.executor.cache.ReadCaches} are those of the compute node: CVTs of the rows
 * whose locks it manages, and their addresses (LOTUS sections 4.4 and 5), in {@link
 * org.nelumbo.executor.cache.CvtCache}; records in {@link org.nelumbo.executor.cache.RecordCache}.
 * {@link org.nelumbo.executor.cache.TransactionReadCache} is what one transaction keeps until its
 * end: records, keys without a row, leaves read ahead.
 *
 * <p>On a local fabric, where a cache would only be one more memory access, they are there and
 * always empty ({@code ReadCaches.NONE}): no caller has a null to check.
 *
 * <p>A cached CVT is never older than a write (invariant 9): writers follow the order of calls at
 * {@code CvtCache}, and there is one reader that fills it, {@code version.CvtLoader}. A record is
 * found by address and version, and so is never another one. The node's caches are thread-safe; a
 * transaction's belongs to one thread.
 */
package org.nelumbo.executor.cache;
