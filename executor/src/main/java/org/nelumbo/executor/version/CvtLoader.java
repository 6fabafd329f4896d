package org.nelumbo.executor.version;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.executor.cache.CachedCvt;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.table.TableStore;

/**
 * Fills the compute node's {@link CvtCache} with CVTs that were read. No other class does, so
 * invariant 9 is proven here once: a cached copy never outlives a write that it does not contain.
 *
 * <p><b>A writer</b> holds the write lock of the row's key from before it changes the CVT until
 * after the change. It draws a new sequence number for the key before it writes ({@link
 * CvtCache#invalidate}), and another one when its write is visible ({@link CvtCache#publish}) or
 * the CVT is about to be retired ({@link CvtCache#remove}). Each of the three methods also replaces
 * or removes the cached copy.
 *
 * <p><b>A reader that holds the key's lock</b> keeps its copy ({@link #keepLocked}): no writer is
 * active between its READ and its put, since no writer has the lock. Another compute node may have
 * granted the lock, and may have lost the shard since. Then the sequence number that the reader
 * took before the READ is outdated: the keys of a shard get new numbers before its locks are
 * granted here.
 *
 * <p><b>A reader without the lock</b> takes four steps. Steps 3 and 4 are {@link #keep}.
 *
 * <ol>
 *   <li>It takes the sequence number of the key ({@link #sequence}).
 *   <li>It reads the CVT from the pool.
 *   <li>It checks that the key is not write-locked.
 *   <li>It puts the copy into the cache, unless the sequence number has changed.
 * </ol>
 *
 * <p><b>Proof.</b> Let W be a writer whose change is missing in the copy, or only partly contained.
 * The put of such a copy does no harm:
 *
 * <ol>
 *   <li>W has the lock at step 3: the reader detects it and keeps nothing.
 *   <li>W released the lock before step 3. It drew its last new number before that. If it drew it
 *       after step 1, step 4 finds another number. If it drew it before step 1, W's change was
 *       visible in the pool before the READ of step 2, and the copy contains it, which contradicts
 *       the assumption.
 *   <li>W acquired the lock after step 3. If it draws its first new number before step 4, step 4
 *       finds it. If it draws it later, W invalidates or removes the copy that step 4 has put, and
 *       does so before it draws its timestamp. So no snapshot that could see W's change finds the
 *       copy without it.
 * </ol>
 *
 * <p>Step 4 and the writer's changes of the cached copy exclude each other by a lock of the cache.
 * A copy with a torn or INVISIBLE cell is useless and is not kept. Stateless; each coordinator has
 * its own instance, since it reads the coordinator's staging buffer.
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

  /** Returns true if the cache keeps the CVT of a key when it is read now. */
  public boolean isKept(long lotusKey) {
    return cache.isKept(lotusKey);
  }

  /** Returns true if the cache keeps CVTs at all. */
  boolean isEnabled() {
    return cache.isEnabled();
  }

  /** Returns the cached CVT of a key of the given table, or null. */
  public CachedCvt find(TableStore table, long lotusKey) {
    return cache.get(table.id(), lotusKey);
  }

  /**
   * Returns the sequence number of a key (step 1). Must be called before the READ of the CVT is
   * posted.
   */
  public long sequence(long lotusKey) {
    return cache.sequence(lotusKey);
  }

  /** Returns true if a copy in the staging buffer is a CVT of this table with this LOTUS key. */
  public boolean isOf(int offset, TableStore table, long lotusKey) {
    return CvtLayout.lotusKey(staging, offset) == lotusKey
        && CvtLayout.storeId(staging, offset) == table.id();
  }

  /**
   * Keeps a copy that was read without the lock, if permitted (steps 3 and 4). Returns false if the
   * copy may not be kept.
   *
   * @param sequence sequence number of the key before the CVT was read
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
   * @param sequence sequence number of the key before the CVT was read; needed since a transaction
   *     whose abort was requested may have lost the lock
   */
  void keepLocked(TableStore table, long lotusKey, long cvt, int offset, long sequence) {
    if (isKeepable(table, lotusKey, offset)) {
      cache.putIfUnchanged(lotusKey, cvt, staging, offset, table.cvtBytes(), sequence);
    }
  }

  /** Returns true if a copy is worth keeping; also records the size of the CVT's inline slot. */
  private boolean isKeepable(TableStore table, long lotusKey, int offset) {
    if (!cache.isEnabled() || !isOf(offset, table, lotusKey)) {
      return false;
    }
    table.noteInlineSlot(CvtLayout.blockClass(staging, offset));
    return cache.isKept(lotusKey) && VisibilityRules.isSettled(staging, offset, table.versions());
  }
}
