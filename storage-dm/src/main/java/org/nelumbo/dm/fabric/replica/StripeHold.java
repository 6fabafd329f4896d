package org.nelumbo.dm.fabric.replica;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.env.Environment;

/**
 * The stripes that one channel holds while it writes. Whoever meets one that is held gives back all
 * it has, and then takes what it needs in ascending order, waiting where it must: whoever waits has
 * only lower ones, so there is no deadlock. Not thread-safe.
 */
final class StripeHold {
  private final Stripes stripes;
  private final Environment environment;
  private final int holder;
  private int[] held = new int[64];
  private int count;

  /**
   * @param holder not 0, and of nobody else
   */
  StripeHold(Stripes stripes, Environment environment, int holder) {
    this.stripes = stripes;
    this.environment = environment;
    this.holder = holder;
  }

  /** Takes the stripes of all that is going to be written. */
  void take(VerbList verbs) {
    for (int i = 0; i < verbs.count(); i++) {
      if (!verbs.isRead(i) && !tryTake(verbs.logical(i), verbs.offset(i), verbs.length(i))) {
        give();
        takeInOrder(verbs);
        return;
      }
    }
  }

  private boolean tryTake(int logical, long offset, int length) {
    int stripe = stripes.of(logical, offset);
    for (int left = stripes.count(offset, length); left > 0; left--) {
      if (!stripes.isHeldBy(stripe, holder)) {
        if (!stripes.take(stripe, holder)) {
          return false;
        }
        add(stripe);
      }
      stripe = stripes.next(stripe);
    }
    return true;
  }

  private void add(int stripe) {
    if (count == held.length) {
      held = Arrays.copyOf(held, 2 * count);
    }
    held[count++] = stripe;
  }

  private void takeInOrder(VerbList verbs) {
    for (int i = 0; i < verbs.count(); i++) {
      if (!verbs.isRead(i)) {
        addAll(verbs.logical(i), verbs.offset(i), verbs.length(i));
      }
    }
    takeAdded(() -> false);
  }

  /** Takes the stripes of a range, unless {@code givesUp} says so meanwhile: then it has none. */
  boolean takeRange(int logical, long offset, int length, BooleanSupplier givesUp) {
    addAll(logical, offset, length);
    return takeAdded(givesUp);
  }

  private void addAll(int logical, long offset, int length) {
    int stripe = stripes.of(logical, offset);
    for (int left = stripes.count(offset, length); left > 0; left--) {
      add(stripe);
      stripe = stripes.next(stripe);
    }
  }

  /** What was added becomes what is held. */
  private boolean takeAdded(BooleanSupplier givesUp) {
    int wanted = count;
    Arrays.sort(held, 0, wanted);
    count = 0;
    for (int i = 0; i < wanted; i++) {
      int stripe = held[i];
      if (count > 0 && held[count - 1] == stripe) {
        continue;
      }
      for (int attempt = 0; !stripes.take(stripe, holder); attempt++) {
        if (givesUp.getAsBoolean()) {
          give();
          return false;
        }
        environment.backoff(attempt);
      }
      held[count++] = stripe;
    }
    return true;
  }

  /** Gives back all it holds. */
  void give() {
    for (int i = 0; i < count; i++) {
      stripes.give(held[i]);
    }
    count = 0;
  }

  /** Whether somebody else is writing where these READs are going to read. */
  boolean isBeingWritten(VerbList reads) {
    for (int i = 0; i < reads.count(); i++) {
      int stripe = stripes.of(reads.logical(i), reads.offset(i));
      for (int left = stripes.count(reads.offset(i), reads.length(i)); left > 0; left--) {
        if (Stripes.isWritten(stripes.look(stripe))) {
          return true;
        }
        stripe = stripes.next(stripe);
      }
    }
    return false;
  }

  /**
   * Waits until what was being written where these verbs have read is on all copies: what a READ
   * returns is never lost. Holds nothing meanwhile.
   */
  void awaitWritten(VerbList verbs) {
    for (int i = 0; i < verbs.count(); i++) {
      if (verbs.isRead(i)) {
        awaitWritten(verbs.logical(i), verbs.offset(i), verbs.length(i));
      }
    }
  }

  private void awaitWritten(int logical, long offset, int length) {
    int stripe = stripes.of(logical, offset);
    for (int left = stripes.count(offset, length); left > 0; left--) {
      long word = stripes.look(stripe);
      if (Stripes.isWritten(word)) {
        for (int attempt = 0; stripes.isUnchanged(stripe, word); attempt++) {
          environment.backoff(attempt);
        }
      }
      stripe = stripes.next(stripe);
    }
  }
}
