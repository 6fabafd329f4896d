package org.nelumbo.executor.version;

import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;

/**
 * The part of a protocol that locks rows by address: it acquires or checks a lock word in the flush
 * that reads the row's CVT, and validates the rows that were read when the transaction commits. The
 * protocol of LOTUS, which locks keys before it looks for rows ({@link
 * org.nelumbo.executor.lock.KeyLocks}), has no row guard.
 *
 * <p>{@link RowFinder} and {@link CvtBatch} pass each row to the guard that they read under its
 * key's lock. Three kinds of reads do not pass it: reads of a snapshot, which lock nothing; the
 * check of a unique value ({@code UniqueCheck}), which the lock of the value protects; and
 * prefetches, whose rows are fetched again before they are used. With a guard, a fetch reads the
 * CVT from the pool although a copy is cached. The absence of rows does not pass the guard:
 * protecting it is up to {@code KeyLocks} and its {@link org.nelumbo.dm.index.LeafGuard}.
 *
 * <p><b>Order of calls.</b> {@link #post} for each row of a flush, before its first READ of a CVT;
 * {@link #judge} for each of them after the flush; {@link #validate} before the commit; {@link
 * #release} when the transaction ends. A transaction may fetch a row several times. Used by the
 * thread of its coordinator.
 */
public abstract class RowGuard {
  /**
   * Posts the verbs that lock a row or read its lock word. They reserve their own staging bytes,
   * which the caller releases after {@link #judge}.
   *
   * @param i index of the row in its flush, below {@link CvtBatch#CAPACITY}
   * @param cvt address of the row's CVT, as an index or a cache contains it: it may be outdated
   * @param mode mode in which the transaction holds the lock of the row's key
   */
  public abstract void post(int i, TableStore table, long cvt, LockMode mode);

  /**
   * Decides whether the transaction may use a row. Nothing in the row counts before: without a lock
   * its CVT may be in any state. Returns OK, or CONFLICT if the row is locked by another
   * transaction or too new. Each row that was posted is judged, even if another one failed.
   *
   * @param newestVersion newest version in the CVT that was read; 0 if there is none, or if there
   *     is no CVT of the table at the address
   */
  public abstract Outcome judge(int i, long newestVersion);

  /**
   * Checks that the rows that were read are unchanged. Called before the transaction commits, when
   * its index entries are in place; repeated if the commit is. Returns OK or CONFLICT.
   */
  public abstract Outcome validate();

  /**
   * Releases the row locks that the transaction has acquired and its commit has not released. After
   * an exception these include locks of rows that were posted and not judged; the verbs posted have
   * been flushed.
   */
  public abstract void release();
}
