package org.nelumbo.executor.cache;

import java.util.function.LongPredicate;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The cached copies of rows whose locks a compute node grants in a shared pool. The granter of the
 * locks reports the actions of other compute nodes here. Any thread may call the methods.
 */
public interface OwnedCopies {
  /** An implementation that keeps nothing. */
  OwnedCopies NONE =
      new OwnedCopies() {
        @Override
        public void forget(long key) {
          // nothing is kept
        }

        @Override
        public void written(long key) {
          // nothing is kept
        }

        @Override
        public long address(long key) {
          return PoolAddress.NULL;
        }

        @Override
        public void forgetShards(LongPredicate keys) {
          // nothing is kept
        }

        @Override
        public void renew() {
          // nothing is kept
        }
      };

  /**
   * Invalidates the copy of a row. Called before another compute node is notified that it holds the
   * row's lock for writing, and again when it releases the lock, before any other transaction gets
   * it. Reads of the row that are in progress are not kept either. The address of the row stays
   * valid.
   */
  void written(long key);

  /** Does the same as {@link #written} for a row whose address may become invalid. */
  void forget(long key);

  /**
   * Returns the address of the CVT of a row; NULL if it is unknown here. The address stays valid
   * while the caller makes sure that the lock is not granted for writing to a transaction that
   * calls {@link #forget}. Two primary keys may share a key, so the CVT may belong to another row.
   */
  long address(long key);

  /**
   * Removes copies of keys whose locks are no longer granted here, and not yet granted by another
   * compute node.
   */
  void forgetShards(LongPredicate keys);

  /**
   * Invalidates all reads so far, since locks are about to be granted here that were not granted
   * here before. Data that has been read, or is being read, is not kept.
   */
  void renew();
}
