package org.nelumbo.dm.replication.verbs;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.env.Environment;

/**
 * The stripe locks that one channel holds while it writes. If a stripe is locked by another
 * channel, the channel releases all of its stripes and then acquires the ones it needs in ascending
 * order, waiting for each. A waiting channel holds only lower stripes, so there is no deadlock. Not
 * thread-safe.
 */
public final class HeldStripes {
  private final StripeLocks stripeLocks;
  private final Environment environment;
  private final int holder;
  private int[] held = new int[64];
  private int count;

  /**
   * @param holder identity of the channel in the lock words, unique and not 0
   */
  public HeldStripes(StripeLocks stripeLocks, Environment environment, int holder) {
    this.stripeLocks = stripeLocks;
    this.environment = environment;
    this.holder = holder;
  }

  /** Acquires the stripes of all words that the verbs write. */
  void lock(VerbList verbs) {
    assert count == 0 : "count=" + count;
    if (!tryLockAll(verbs)) {
      lockInOrder(verbs);
    }
  }

  private boolean tryLockAll(VerbList verbs) {
    boolean done = false;
    try {
      for (int i = 0; i < verbs.count(); i++) {
        if (!verbs.isRead(i) && !tryLock(verbs.logical(i), verbs.offset(i), verbs.length(i))) {
          return false;
        }
      }
      done = true;
      return true;
    } finally {
      if (!done) {
        unlock();
      }
    }
  }

  private boolean tryLock(int logical, long offset, int length) {
    int stripe = stripeLocks.stripeOf(logical, offset);
    for (int left = stripeLocks.count(offset, length); left > 0; left--) {
      if (!stripeLocks.isHeldBy(stripe, holder)) {
        ensureRoom(1);
        if (!stripeLocks.tryLock(stripe, holder)) {
          return false;
        }
        held[count++] = stripe;
      }
      stripe = stripeLocks.next(stripe);
    }
    return true;
  }

  /** Called before a lock is acquired, so that there is always room to record it. */
  private void ensureRoom(int more) {
    if (count + more > held.length) {
      held = Arrays.copyOf(held, Math.max(2 * held.length, count + more));
    }
  }

  private void lockInOrder(VerbList verbs) {
    int wanted = 0;
    for (int i = 0; i < verbs.count(); i++) {
      if (!verbs.isRead(i)) {
        wanted = want(wanted, verbs.logical(i), verbs.offset(i), verbs.length(i));
      }
    }
    lockWanted(wanted, () -> false);
  }

  /**
   * Acquires the stripes of a range. If {@code givesUp} returns true meanwhile, releases all
   * stripes and returns false.
   */
  public boolean tryLockRange(int logical, long offset, int length, BooleanSupplier givesUp) {
    assert count == 0 : "count=" + count;
    return lockWanted(want(0, logical, offset, length), givesUp);
  }

  /**
   * Appends the stripes of a range after the first {@code wanted} entries; returns the new number
   * of entries.
   */
  private int want(int wanted, int logical, long offset, int length) {
    int next = wanted;
    int stripe = stripeLocks.stripeOf(logical, offset);
    int more = stripeLocks.count(offset, length);
    ensureRoom(wanted + more);
    for (int left = more; left > 0; left--) {
      held[next++] = stripe;
      stripe = stripeLocks.next(stripe);
    }
    return next;
  }

  private boolean lockWanted(int wanted, BooleanSupplier givesUp) {
    boolean done = false;
    try {
      Arrays.sort(held, 0, wanted);
      done = lockSorted(wanted, givesUp);
      return done;
    } finally {
      if (!done) {
        unlock();
      }
    }
  }

  /** Acquires the first {@code wanted} recorded stripes, which are in ascending order. */
  private boolean lockSorted(int wanted, BooleanSupplier givesUp) {
    for (int i = 0; i < wanted; i++) {
      int stripe = held[i];
      if (count > 0 && held[count - 1] == stripe) {
        continue;
      }
      for (int attempt = 0; !stripeLocks.tryLock(stripe, holder); attempt++) {
        if (givesUp.getAsBoolean()) {
          return false;
        }
        environment.backoff(attempt);
      }
      held[count++] = stripe;
    }
    return true;
  }

  /** Releases all held stripes. */
  public void unlock() {
    for (int i = 0; i < count; i++) {
      stripeLocks.unlock(held[i]);
    }
    count = 0;
  }

  /** Returns true if the stripes of all words that the verbs write are held. */
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

  /** Returns true if another channel is writing to a line that the READs are about to read. */
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
   * Waits until all copies have the writes that were in progress on the lines that the verbs have
   * read, so that the result of a READ is never lost. The channel holds no stripes meanwhile.
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
