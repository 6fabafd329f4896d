package org.nelumbo.simulation.cluster;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.executor.lock.LockTable;

/**
 * The lock table that several compute nodes share, as one of them has it: notes what was granted to
 * it, so that it can be given back when it has died. It stands for locks that are where everybody
 * can ask at once, and that never fail.
 */
final class SharedLocks extends LockTable {
  /** A lock, and how it is held. */
  private record Held(long key, int mode) {}

  private final LockTable shared;
  private final Map<Held, Integer> held = new HashMap<>();
  private final Set<Long> announced = new HashSet<>();
  private boolean isFenced;

  SharedLocks(Environment environment, LockTable shared) {
    super(environment, 1);
    this.shared = shared;
  }

  LockTable shared() {
    return shared;
  }

  /**
   * Gives back all that the compute node has: it is dead, and its logs have been recovered. If it
   * lives all the same, it is refused from now on.
   */
  void releaseAll() {
    isFenced = true;
    announced.forEach(shared::withdraw);
    announced.clear();
    held.forEach(
        (lock, count) -> {
          for (int i = 0; i < count; i++) {
            shared.release(lock.key, lock.mode);
          }
        });
    held.clear();
  }

  private void checkNotFenced() {
    if (isFenced) {
      throw new FabricException("this compute node is fenced: it gets no locks any more", null);
    }
  }

  private void note(long key, int mode) {
    held.merge(new Held(key, mode), 1, Integer::sum);
  }

  private void forget(long key, int mode) {
    held.computeIfPresent(new Held(key, mode), (_, count) -> count == 1 ? null : count - 1);
  }

  @Override
  public long identity(long key) {
    return shared.identity(key);
  }

  @Override
  public int tryAcquire(long key, int mode, long priority) {
    checkNotFenced();
    int result = shared.tryAcquire(key, mode, priority);
    if (result == GRANTED) {
      note(key, mode);
    }
    return result;
  }

  @Override
  public int tryUpgrade(long key, long priority) {
    checkNotFenced();
    int result = shared.tryUpgrade(key, priority);
    if (result == GRANTED) {
      forget(key, READ);
      note(key, WRITE);
    }
    return result;
  }

  @Override
  public void release(long key, int mode) {
    if (!isFenced) {
      forget(key, mode);
      shared.release(key, mode);
    }
  }

  @Override
  public boolean announce(long key, long priority) {
    checkNotFenced();
    boolean isFirst = shared.announce(key, priority);
    if (isFirst) {
      announced.add(key);
    }
    return isFirst;
  }

  @Override
  public void withdraw(long key) {
    if (!isFenced) {
      announced.remove(key);
      shared.withdraw(key);
    }
  }

  @Override
  public long prefetch(long key) {
    return shared.prefetch(key);
  }

  @Override
  public long holderPriority(long key) {
    return shared.holderPriority(key);
  }

  @Override
  public boolean isWriteLocked(long key) {
    checkNotFenced();
    return shared.isWriteLocked(key);
  }

  @Override
  public int heldCount() {
    return shared.heldCount();
  }

  @Override
  public void verify() {
    shared.verify();
  }
}
