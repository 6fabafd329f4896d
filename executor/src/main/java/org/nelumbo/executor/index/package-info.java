/**
 * Index maintenance: adds and removes index entries for the writes of a transaction.
 *
 * <p>{@link org.nelumbo.executor.index.IndexWriter} adds and drops the entries of one row at a
 * time, and checks unique values ({@link org.nelumbo.executor.index.UniqueCheck}). Where round
 * trips are expensive, secondary index entries wait in {@link
 * org.nelumbo.executor.index.PendingEntries} and are added together; {@link
 * org.nelumbo.executor.index.LeafGroups} groups them by leaf. {@link
 * org.nelumbo.executor.index.UniqueKeyReservations} locks many unique values and reads their
 * entries in one round trip. {@link org.nelumbo.executor.index.IndexJournal} records the added
 * entries for a rollback, and the entries that the commit makes stale for the collectors.
 *
 * <p><b>Order of calls</b>
 *
 * <ol>
 *   <li>{@code addRow}, {@code addEntries}, {@code changeEntries} or {@code dropEntries} for each
 *       row.
 *   <li>{@code PendingEntries.flush} before the commit, and before a read that would see a pending
 *       entry.
 *   <li>{@code IndexJournal.retireStale}, or {@code IndexWriter.rollbackTo}.
 * </ol>
 *
 * <p><b>Rules</b>
 *
 * <ol>
 *   <li>Entries are hints: the visible record of the row decides. A superfluous entry does no harm.
 *   <li>The write locks of the row and of its unique value are held from before an entry is added
 *       until the transaction has ended.
 *   <li>A leaf is changed only after the scans that have locked it have ended (invariant 3): the
 *       trees lock it through {@code KeyLocks.leafGuard}.
 *   <li>Before a tree is changed, its prefetched leaves are discarded: {@link
 *       org.nelumbo.executor.index.IndexTrees}.
 * </ol>
 */
package org.nelumbo.executor.index;
