/**
 * Versions of rows: which one a transaction reads, and where the next one goes.
 *
 * <p>A row has a CVT (consecutive version table) with a few cells, each with a commit timestamp and
 * the address of a record. {@link org.nelumbo.executor.version.VisibilityRules} decides from one
 * copy of a CVT which cell is read, {@link org.nelumbo.executor.version.VersionSlotPlan} which cell
 * is written, and what becomes of the version in it. {@link
 * org.nelumbo.executor.version.VersionReader} reads the version of one row, {@link
 * org.nelumbo.executor.version.CvtBatch} those of many in two round trips, {@link
 * org.nelumbo.executor.version.RowFinder} the row of a primary key, from the hash index on. {@link
 * org.nelumbo.executor.version.ReadView} is what the transaction sees at all.
 *
 * <p><b>Order of calls.</b> {@code ReadView.begin...}; then, for each read: {@code pin}, a reader,
 * {@code unpin}; {@code ReadView.end}. A reader leaves what it found in its fields until it is used
 * again, and the CVT in the staging buffer until the caller releases that.
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>Nobody follows an address without a pinned epoch: memory is not used again before the
 *       horizon has passed it (invariant 6).
 *   <li>Under the key's lock the newest version is read, and one READ is enough. Without it a
 *       version counts only after a check that it was not replaced while it was read: the numbered
 *       cases of {@code docs/internals} (invariants 1 and 2).
 *   <li>Copies of CVTs get into the cache of the compute node through {@link
 *       org.nelumbo.executor.version.CvtLoader} alone, which proves that they are never older than
 *       a write (invariant 9).
 *   <li>A slot plan is made from a copy that was read under the write lock, and holds until the
 *       lock is given back.
 * </ol>
 *
 * <p>One thread at a time uses what belongs to one coordinator: all classes here but the stateless
 * ones.
 */
package org.nelumbo.executor.version;
