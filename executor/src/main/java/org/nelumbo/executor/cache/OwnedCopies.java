package org.nelumbo.executor.cache;

import java.util.function.LongPredicate;

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
   * else has got it yet. What is being read of the row is not kept either.
   */
  void forget(long key);

  /** The locks of these keys are granted here no longer, nor by anybody else yet. */
  void forgetShards(LongPredicate keys);

  /**
   * Locks are about to be granted here that were not before: what has been read until now, or is
   * being read, is not kept.
   */
  void renew();
}
