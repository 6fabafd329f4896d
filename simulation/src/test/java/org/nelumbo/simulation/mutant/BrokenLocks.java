package org.nelumbo.simulation.mutant;

import java.util.HashMap;
import java.util.Map;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockResult;
import org.nelumbo.executor.lock.LockTable;

/** Faulty lock tables. They may be used by one carrier thread only. */
final class BrokenLocks {
  private BrokenLocks() {}

  /** Releases a lock when a request for it is refused, whichever transaction holds it. */
  static final class Complicit extends LockTable {
    Complicit(Environment environment, int buckets) {
      super(environment, buckets);
    }

    @Override
    public LockResult tryAcquire(long key, LockMode mode, long priority) {
      LockResult result = super.tryAcquire(key, mode, priority);
      if (result == LockResult.DIE) {
        release(key, LockMode.WRITE);
      }
      return result;
    }

    @Override
    public void release(long key, LockMode mode) {
      try {
        super.release(key, mode);
      } catch (IllegalStateException e) {
        // Another transaction has released it already; a real lock word would be overwritten.
      }
    }
  }

  /** Grants read locks even if a transaction holds the write lock. */
  static final class Covert extends LockTable {
    private final Map<Long, Integer> pretended = new HashMap<>();

    Covert(Environment environment, int buckets) {
      super(environment, buckets);
    }

    @Override
    public LockResult tryAcquire(long key, LockMode mode, long priority) {
      LockResult result = super.tryAcquire(key, mode, priority);
      if (result != LockResult.GRANTED && mode == LockMode.READ) {
        pretended.merge(key, 1, Integer::sum);
        return LockResult.GRANTED;
      }
      return result;
    }

    @Override
    public void release(long key, LockMode mode) {
      if (mode != LockMode.READ || !forget(key)) {
        super.release(key, mode);
      }
    }

    @Override
    public LockResult tryUpgrade(long key, long priority) {
      if (!pretended.containsKey(key)) {
        return super.tryUpgrade(key, priority);
      }
      LockResult result = super.tryAcquire(key, LockMode.WRITE, priority);
      if (result == LockResult.GRANTED) {
        forget(key);
      }
      return result;
    }

    private boolean forget(long key) {
      boolean there = pretended.containsKey(key);
      pretended.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
      return there;
    }
  }

  /** Grants write locks that another transaction holds. */
  static final class Unlocked extends LockTable {
    private final Map<Long, Integer> pretended = new HashMap<>();

    Unlocked(Environment environment, int buckets) {
      super(environment, buckets);
    }

    @Override
    public LockResult tryAcquire(long key, LockMode mode, long priority) {
      LockResult result = super.tryAcquire(key, mode, priority);
      if (result != LockResult.GRANTED && mode == LockMode.WRITE) {
        pretended.merge(key, 1, Integer::sum);
        return LockResult.GRANTED;
      }
      return result;
    }

    @Override
    public LockResult tryUpgrade(long key, long priority) {
      LockResult result = super.tryUpgrade(key, priority);
      if (result != LockResult.GRANTED) {
        super.release(key, LockMode.READ);
        pretended.merge(key, 1, Integer::sum);
      }
      return LockResult.GRANTED;
    }

    @Override
    public void release(long key, LockMode mode) {
      if (mode == LockMode.WRITE && pretended.containsKey(key)) {
        pretended.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
      } else {
        super.release(key, mode);
      }
    }
  }

  /** Releases read locks as soon as they are granted; of rows, or of leaves only. */
  private abstract static class Fleeting extends LockTable {
    Fleeting(Environment environment, int buckets) {
      super(environment, buckets);
    }

    abstract boolean isFleeting(long key);

    @Override
    public LockResult tryAcquire(long key, LockMode mode, long priority) {
      LockResult result = super.tryAcquire(key, mode, priority);
      if (result == LockResult.GRANTED && mode == LockMode.READ && isFleeting(key)) {
        super.release(key, mode);
      }
      return result;
    }

    @Override
    public void release(long key, LockMode mode) {
      if (mode != LockMode.READ || !isFleeting(key)) {
        super.release(key, mode);
      }
    }

    @Override
    public LockResult tryUpgrade(long key, long priority) {
      return isFleeting(key)
          ? super.tryAcquire(key, LockMode.WRITE, priority)
          : super.tryUpgrade(key, priority);
    }
  }

  /** Releases all read locks at once. */
  static final class Relaxed extends Fleeting {
    Relaxed(Environment environment, int buckets) {
      super(environment, buckets);
    }

    @Override
    boolean isFleeting(long key) {
      return true;
    }
  }

  /** Releases read locks of leaves at once. */
  static final class NoLeaves extends Fleeting {
    NoLeaves(Environment environment, int buckets) {
      super(environment, buckets);
    }

    @Override
    boolean isFleeting(long key) {
      return key >>> PoolAddress.BITS == 0;
    }
  }
}
