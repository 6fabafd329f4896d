/**
 * Read-ahead: what coming statements are going to ask for is read together, before they ask.
 *
 * <p>{@link org.nelumbo.executor.readahead.PrefetchHints} takes keys and ranges of statements that
 * are known to come, {@link org.nelumbo.executor.readahead.ReadAhead} those of one statement, such
 * as the inner side of a join. {@link org.nelumbo.executor.readahead.RowPrefetch} reads rows into
 * the caches: CVTs into that of the compute node, records into that of the transaction.
 *
 * <p><b>Nobody's result comes from here.</b> Each get and scan does what it would do by itself, and
 * finds that it need not read; so a hint may be wrong, too early or too late. Only leaves of
 * indexes are locked ahead, where scans lock leaves, since what is read of a leaf counts from its
 * lock on. On a local fabric hints only bring cache lines near. One thread at a time.
 */
package org.nelumbo.executor.readahead;
