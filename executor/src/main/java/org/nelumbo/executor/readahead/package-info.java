/**
 * Read-ahead: reads the data of the next operations together, before they need it.
 *
 * <p>{@link org.nelumbo.executor.readahead.PrefetchHints} takes keys and ranges of announced
 * statements; {@link org.nelumbo.executor.readahead.ReadAhead} takes those of a single statement,
 * such as the inner side of a join. {@link org.nelumbo.executor.readahead.RowPrefetch} reads rows
 * into the caches: CVTs into the cache of the compute node, records into the cache of the
 * transaction.
 *
 * <p><b>Results never depend on the read-ahead.</b> Each get and each scan runs as it would without
 * it, and finds its data in caches; so a hint may be wrong, too early or too late. Only leaves of
 * indexes are locked ahead, if scans lock leaves, because the content of a leaf is valid from its
 * lock on. On a local fabric hints only prefetch cache lines. Used by one thread at a time.
 */
package org.nelumbo.executor.readahead;
