/**
 * Index maintenance: indexes follow the changes of a transaction.
 *
 * <p>{@link org.nelumbo.executor.index.IndexWriter} adds and drops the entries of one row at a
 * time, and checks unique values ({@link org.nelumbo.executor.index.UniqueCheck}). Where round
 * trips are expensive entries of secondary indexes wait in {@link
 * org.nelumbo.executor.index.PendingEntries}, and go to their leaves together; {@link
 * org.nelumbo.executor.index.LeafGroups} deals them out. {@link
 * org.nelumbo.executor.index.UniqueKeyReservations} locks and looks up many unique values in one
 * round trip. {@link org.nelumbo.executor.index.IndexJournal} knows what was done, for a rollback,
 * and which entries the commit makes stale, for the collectors.
 *
 * <p><b>Order of calls.</b> {@code addRow}, {@code addEntries}, {@code changeEntries} or {@code
 * dropEntries} for each row; {@code PendingEntries.flush} before the commit, and before anything is
 * read in which a waiting entry would show; then {@code IndexJournal.retireStale}, or {@code
 * IndexWriter.rollbackTo}.
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>Entries are hints: the visible record of the row decides. One too many does no harm.
 *   <li>The row's write lock is held, and that of its unique value, from before an entry is added
 *       until the transaction has ended.
 *   <li>A leaf is changed only after the scans that have locked it have ended (invariant 3): the
 *       trees lock them through {@code KeyLocks.leafGuard}.
 *   <li>Before a tree is changed the leaves of it that were read ahead are forgotten: {@link
 *       org.nelumbo.executor.index.IndexTrees}.
 * </ol>
 */
package org.nelumbo.executor.index;
