/**
 * Versions of rows: the choice of the version that a transaction reads, and of the location of the
 * next version.
 *
 * <p>A row has a CVT (consecutive version table) with a few cells, each with a commit timestamp and
 * the address of a record.
 *
 * <ul>
 *   <li>{@link org.nelumbo.executor.version.VisibilityRules} chooses the cell to be read from one
 *       copy of a CVT.
 *   <li>{@link org.nelumbo.executor.version.VersionSlotPlan} chooses the cell to be written, and
 *       decides about the version in it.
 *   <li>{@link org.nelumbo.executor.version.VersionReader} reads the version of one row; {@link
 *       org.nelumbo.executor.version.CvtBatch} reads the versions of many rows in two round trips.
 *   <li>{@link org.nelumbo.executor.version.RowFinder} finds the row of a primary key, beginning
 *       with the hash index.
 *   <li>{@link org.nelumbo.executor.version.RowGuard} locks rows by the addresses of their CVTs, if
 *       the protocol does.
 *   <li>{@link org.nelumbo.executor.version.ReadView} defines what the transaction sees at all.
 * </ul>
 *
 * <p><b>Order of calls.</b> {@code ReadView.begin...}; then, for each read: {@code pin}, a reader,
 * {@code unpin}; {@code ReadView.end}. A reader keeps its result in its fields until its next use,
 * and the CVT in the staging buffer until the caller releases that.
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>No reader follows an address without a pinned epoch: memory is not reused before the
 *       horizon has passed it (invariant 6).
 *   <li>Under the key's lock the newest version is read, and one READ is enough. Without the lock a
 *       version counts only after a check that it was not replaced during the read: the numbered
 *       cases of {@code docs/internals} (invariants 1 and 2).
 *   <li>Only {@link org.nelumbo.executor.version.CvtLoader} adds copies of CVTs to the cache of the
 *       compute node; it proves that they are never older than a write (invariant 9).
 *   <li>A slot plan is made from a copy that was read under the write lock, and holds until the
 *       lock is released.
 * </ol>
 *
 * <p>Objects that belong to one coordinator are used by one thread at a time. That holds for all
 * classes here except the stateless ones.
 */
package org.nelumbo.executor.version;
