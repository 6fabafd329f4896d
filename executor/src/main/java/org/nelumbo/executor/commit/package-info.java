/**
 * Commit: writes the changes of a transaction into the pool.
 *
 * <p>{@link org.nelumbo.executor.commit.WriteSet} holds the changed rows of a transaction, with
 * their new images, until it commits; none of them is in the pool before. {@link
 * org.nelumbo.executor.commit.LotusCommitter} writes them (LOTUS section 5.1, phase 2) and
 * determines the order of flushes:
 *
 * <ol>
 *   <li>It reserves log and memory ({@code VersionMemory}).
 *   <li>It writes records, INVISIBLE cells and the log in one round trip ({@code CellWriter}).
 *   <li>It draws the timestamp.
 *   <li>It writes the timestamp into the cells in another round trip.
 *   <li>It frees replaced versions, or passes them to the collectors.
 * </ol>
 *
 * <p>{@link org.nelumbo.executor.commit.TransactionLog} names the cells that are being written, or
 * {@code LogParts} does, if the cells have their timestamp from the beginning. {@link
 * org.nelumbo.executor.commit.LogDirectory} leads recovery to the logs, and {@link
 * org.nelumbo.executor.commit.CommitLog} makes commits durable.
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>The caller holds the write locks of all rows of the write set from before they are read
 *       until after {@code commit} has returned (invariants 4 and 9).
 *   <li>The log and the INVISIBLE cells are complete in the pool before the timestamp is drawn
 *       (invariant 1). So a reader with a later snapshot finds them and waits. Or the cells have
 *       their timestamp, and are in the pool before it is published.
 *   <li>Index entries are in place before the timestamp is drawn; the caller ensures this.
 *   <li>Cached copies of a CVT are invalid from before its cell is posted until after it is
 *       visible.
 *   <li>A failure after the timestamp was drawn is an unknown outcome (invariant 8).
 * </ol>
 *
 * <p>Confined to one thread at a time, except the log directory, which the coordinators share and
 * which is thread-safe.
 */
package org.nelumbo.executor.commit;
