package org.nelumbo.dm.replication.verbs;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.env.Environment;

/**
 * Stripe locks that one channel holds while it writes. If a stripe is locked by another channel, it
 * unlocks all it has, and then locks what it needs in ascending order, waiting where it must. A
 * channel that waits holds only lower stripes, so there is no deadlock. Not thread-safe.
 */
public final class HeldStripes {
  private final StripeLocks stripeLocks;
  private final Environment environment;
  private final int holder;
  private int[] held = new int[64];
  private int count;

  /**
   * @param holder not 0, and of nobody else
   */
  public HeldStripes(StripeLocks stripeLocks, Environment environment, int holder) {
    this.stripeLocks = stripeLocks;
    this.environment = environment;
    this.holder = holder;
  }

  /** Locks the stripes of everything that these verbs write. */
  void lock(VerbList verbs) {
    assert count == 0 : "count=" + count;
    for (int i = 0; i < verbs.count(); i++) {
      if (!verbs.isRead(i) && !tryLock(verbs.logical(i), verbs.offset(i), verbs.length(i))) {
        unlock();
        lockInOrder(verbs);
        return;
      }
    }
  }

  private boolean tryLock(int logical, long offset, int length) {
    int stripe = stripeLocks.stripeOf(logical, offset);
    for (int left = stripeLocks.count(offset, length); left > 0; left--) {
      if (!stripeLocks.isHeldBy(stripe, holder)) {
        if (!stripeLocks.tryLock(stripe, holder)) {
          return false;
        }
        add(stripe);
      }
      stripe = stripeLocks.next(stripe);
    }
    return true;
  }

  private void add(int stripe) {
    if (count == held.length) {
      held = Arrays.copyOf(held, 2 * count);
    }
    held[count++] = stripe;
  }

  private void lockInOrder(VerbList verbs) {
    for (int i = 0; i < verbs.count(); i++) {
      if (!verbs.isRead(i)) {
        addAll(verbs.logical(i), verbs.offset(i), verbs.length(i));
      }
    }
    lockAdded(() -> false);
  }

  /**
   * Locks the stripes of a range; if {@code givesUp} becomes true meanwhile, it unlocks all and
   * returns false.
   */
  public boolean tryLockRange(int logical, long offset, int length, BooleanSupplier givesUp) {
    assert count == 0 : "count=" + count;
    addAll(logical, offset, length);
    return lockAdded(givesUp);
  }

  private void addAll(int logical, long offset, int length) {
    int stripe = stripeLocks.stripeOf(logical, offset);
    for (int left = stripeLocks.count(offset, length); left > 0; left--) {
      add(stripe);
      stripe = stripeLocks.next(stripe);
    }
  }

  /** Locks the stripes that were added, in ascending order. */
  private boolean lockAdded(BooleanSupplier givesUp) {
    int wanted = count;
    Arrays.sort(held, 0, wanted);
    count = 0;
    for (int i = 0; i < wanted; i++) {
      int stripe = held[i];
      if (count > 0 && held[count - 1] == stripe) {
        continue;
      }
      for (int attempt = 0; !stripeLocks.tryLock(stripe, holder); attempt++) {
        if (givesUp.getAsBoolean()) {
          unlock();
          return false;
        }
        environment.backoff(attempt);
      }
      held[count++] = stripe;
    }
    return true;
  }

  /** Unlocks all it holds. */
  public void unlock() {
    for (int i = 0; i < count; i++) {
      stripeLocks.unlock(held[i]);
    }
    count = 0;
  }

  /** Whether it holds the stripes of all that these verbs write. */
  boolean covers(VerbList verbs) {
    for (int i = 0; i < verbs.count(); i++) {
      if (!verbs.isRead(i)) {
        int stripe = stripeLocks.stripeOf(verbs.logical(i), verbs.offset(i));
        for (int left = stripeLocks.count(verbs.offset(i), verbs.length(i)); left > 0; left--) {
          if (!stripeLocks.isHeldBy(stripe, holder)) {
            return false;
          }
          stripe = stripeLocks.next(stripe);
        }
      }
    }
    return true;
  }

  /** Whether somebody else is writing where these READs are going to read. */
  boolean isAnyLocked(VerbList reads) {
    for (int i = 0; i < reads.count(); i++) {
      int stripe = stripeLocks.stripeOf(reads.logical(i), reads.offset(i));
      for (int left = stripeLocks.count(reads.offset(i), reads.length(i)); left > 0; left--) {
        if (StripeLocks.isLocked(stripeLocks.read(stripe))) {
          return true;
        }
        stripe = stripeLocks.next(stripe);
      }
    }
    return false;
  }

  /**
   * Waits until what was being written where these verbs have read is on all copies: what a READ
   * returns is never lost. Holds nothing meanwhile.
   */
  void awaitUnlocked(VerbList verbs) {
    for (int i = 0; i < verbs.count(); i++) {
      if (verbs.isRead(i)) {
        awaitUnlocked(verbs.logical(i), verbs.offset(i), verbs.length(i));
      }
    }
  }

  private void awaitUnlocked(int logical, long offset, int length) {
    int stripe = stripeLocks.stripeOf(logical, offset);
    for (int left = stripeLocks.count(offset, length); left > 0; left--) {
      long word = stripeLocks.read(stripe);
      if (StripeLocks.isLocked(word)) {
        for (int attempt = 0; stripeLocks.isUnchanged(stripe, word); attempt++) {
          environment.backoff(attempt);
        }
      }
      stripe = stripeLocks.next(stripe);
    }
  }
}
