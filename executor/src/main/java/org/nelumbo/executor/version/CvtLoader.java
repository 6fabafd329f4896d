package org.nelumbo.executor.version;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.executor.cache.CachedCvt;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.table.TableStore;

/**
 * Fills the compute node's {@link CvtCache} with CVTs that were read. This is the only place that
 * does, so that invariant 9 is proven once: a cached copy never outlives a write it did not see.
 *
 * <p><b>A writer</b> holds the write lock of the row's key from before it changes the CVT until
 * after. It makes a new sequence number of the key before it writes ({@link CvtCache#invalidate})
 * and another when what it wrote is visible ({@link CvtCache#publish}) or the CVT is to be retired
 * ({@link CvtCache#remove}); each of the three also replaces or removes the cached copy.
 *
 * <p><b>A reader that holds the key's lock</b> keeps what it read ({@link #keepLocked}): no writer
 * is between its READ and its put, since none has the lock. If another compute node had granted the
 * lock, and has lost the shard meanwhile, the number that it took before the READ is not the
 * present one: there are new ones before the shard's locks are granted here.
 *
 * <p><b>A reader without the lock</b> does four things in this order: (1) it takes the sequence
 * number of the key ({@link #sequence}); (2) it reads the CVT from the pool; (3) it sees that the
 * key is not write-locked; (4) it puts the copy, unless the sequence number has changed; 3 and 4
 * are {@link #keep}. Let W be a writer whose change the copy lacks, or has in part. The put of such
 * a copy does no harm:
 *
 * <ol>
 *   <li>W has the lock at step 3: the reader sees it and keeps nothing.
 *   <li>W gave the lock back before step 3. Its last new number came before that. If it came after
 *       step 1, step 4 finds another number. If it came before step 1, W's change was visible in
 *       the pool before the READ of step 2, and the copy has it, against the assumption.
 *   <li>W took the lock after step 3. If its first new number comes before step 4, step 4 finds it.
 *       If it comes after, W invalidates or removes the copy that step 4 has put: before it draws
 *       its timestamp, so that no snapshot that could see W's change finds the copy without it.
 * </ol>
 *
 * <p>Steps 4 and the writer's changes of the cached copy exclude each other by a lock of the cache.
 * A copy with a cell that is torn or INVISIBLE is not kept: it is of no use to anybody. Stateless;
 * one a coordinator, since it looks into its staging buffer.
 */
public final class CvtLoader {
  private final MemorySegment staging;
  private final LockTable locks;
  private final CvtCache cache;

  public CvtLoader(CoordinatorContext context) {
    this.staging = context.channel().staging();
    this.locks = context.lockTable();
    this.cache = context.caches().cvts();
  }

  /** Whether the CVT of a key is kept, if it is read now. */
  public boolean isKept(long lotusKey) {
    return cache.isKept(lotusKey);
  }

  /** Whether CVTs are ever kept. */
  boolean isEnabled() {
    return cache.isEnabled();
  }

  /** What is known of the CVT of a key of that store, or null. */
  public CachedCvt find(TableStore table, long lotusKey) {
    return cache.get(table.id(), lotusKey);
  }

  /** Step 1: to be called before the READ of the CVT is posted. */
  public long sequence(long lotusKey) {
    return cache.sequence(lotusKey);
  }

  /** Whether a copy in the staging buffer is that of a CVT of this table with this LOTUS key. */
  public boolean isOf(int offset, TableStore table, long lotusKey) {
    return CvtLayout.lotusKey(staging, offset) == lotusKey
        && CvtLayout.storeId(staging, offset) == table.id();
  }

  /**
   * Steps 3 and 4: keeps a copy that was read without lock; whether it is one that may be kept.
   *
   * @param sequence number of the key before the CVT was read
   */
  public boolean keep(TableStore table, long lotusKey, long cvt, int offset, long sequence) {
    if (!isKeepable(table, lotusKey, offset) || locks.isWriteLocked(lotusKey)) {
      return false;
    }
    cache.putIfUnchanged(lotusKey, cvt, staging, offset, table.cvtBytes(), sequence);
    return true;
  }

  /**
   * Keeps a copy that was read under the key's lock.
   *
   * @param sequence number of the key before the CVT was read: who is doomed may have lost the lock
   */
  void keepLocked(TableStore table, long lotusKey, long cvt, int offset, long sequence) {
    if (isKeepable(table, lotusKey, offset)) {
      cache.putIfUnchanged(lotusKey, cvt, staging, offset, table.cvtBytes(), sequence);
    }
  }

  /**
   * Whether a copy is worth keeping; also notes how much room the CVT has for its inline record.
   */
  private boolean isKeepable(TableStore table, long lotusKey, int offset) {
    if (!cache.isEnabled() || !isOf(offset, table, lotusKey)) {
      return false;
    }
    table.noteInlineSlot(CvtLayout.blockClass(staging, offset));
    return cache.isKept(lotusKey) && VisibilityRules.isSettled(staging, offset, table.versions());
  }
}
