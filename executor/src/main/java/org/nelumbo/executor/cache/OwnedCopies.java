package org.nelumbo.executor.cache;

import java.util.function.LongPredicate;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * What a compute node that shares a pool keeps of rows whose locks it grants. Whoever grants the
 * locks tells what others do with them; on any thread.
 */
public interface OwnedCopies {
  /** Nothing is kept. */
  OwnedCopies NONE =
      new OwnedCopies() {
        @Override
        public void forget(long key) {
          // Nothing is kept.
        }

        @Override
        public void written(long key) {
          // Nothing is kept.
        }

        @Override
        public long address(long key) {
          return PoolAddress.NULL;
        }

        @Override
        public void forgetShards(LongPredicate keys) {
          // Nothing is kept.
        }

        @Override
        public void renew() {
          // Nothing is kept.
        }
      };

  /**
   * Another compute node has a lock for writing, and is not told yet; or gives it back, and nobody
   * else has got it yet. What is being read of the row is not kept either. The row stays where it
   * is.
   */
  void written(long key);

  /** As {@link #written}, but the row may go. */
  void forget(long key);

  /**
   * Where the CVT of a row lies, if that is known here; NULL if not. It stays there for as long as
   * the caller sees to it that its lock is not granted for writing to who calls {@link #forget}.
   * Two primary keys may share a key: it may be another row's.
   */
  long address(long key);

  /** The locks of these keys are granted here no longer, nor by anybody else yet. */
  void forgetShards(LongPredicate keys);

  /**
   * Locks are about to be granted here that were not before: what has been read until now, or is
   * being read, is not kept.
   */
  void renew();
}
