/**
 * Commit: how the changes of a transaction get into the pool.
 *
 * <p>{@link org.nelumbo.executor.commit.WriteSet} holds the rows that a transaction has changed,
 * with their new images, until it commits; none of them is in the pool before. {@link
 * org.nelumbo.executor.commit.LotusCommitter} writes them (LOTUS section 5.1, phase 2) and keeps
 * the order of flushes: it reserves log and memory ({@code VersionMemory}); writes records,
 * INVISIBLE cells and the log in one round trip ({@code CellWriter}); draws the timestamp; writes
 * it into the cells in another round trip; and frees what was replaced, or hands it to the
 * collectors. {@link org.nelumbo.executor.commit.TransactionLog} names the cells that are being
 * written, {@link org.nelumbo.executor.commit.LogDirectory} leads recovery to the logs, and {@link
 * org.nelumbo.executor.commit.CommitLog} makes commits durable.
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>The caller holds the write locks of all rows of the write set from before they were read
 *       until after {@code commit} has returned (invariants 4 and 9).
 *   <li>The log is whole in the pool, and so are the INVISIBLE cells, before the timestamp is drawn
 *       (invariant 1): a reader with a later snapshot finds them and waits.
 *   <li>Entries of indexes are in place before the timestamp is drawn; the caller sees to it.
 *   <li>Cached copies of a CVT are invalid from before its cell is posted until after it is
 *       visible.
 *   <li>A failure after the timestamp was drawn is an unknown outcome (invariant 8).
 * </ol>
 *
 * <p>One thread at a time; the log directory is shared by the coordinators, and thread-safe.
 */
package org.nelumbo.executor.commit;
