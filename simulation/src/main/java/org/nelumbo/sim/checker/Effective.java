package org.nelumbo.sim.checker;

import org.nelumbo.sim.history.History;
import org.nelumbo.sim.history.Outcome;

/**
 * Which transactions have happened: those that committed, and those of unknown outcome whose writes
 * were seen by one that has happened. Of another of unknown outcome nobody knows, and nothing is
 * assumed.
 */
final class Effective {
  private final History history;
  private final Writes writes;
  private final boolean[] happened;
  private final int[] pending;
  private int pendingCount;
  private int count;

  Effective(History history, Writes writes) {
    this.history = history;
    this.writes = writes;
    this.happened = new boolean[history.size()];
    this.pending = new int[history.size()];
    boolean anyUnknown = false;
    for (int t = 0; t < history.size(); t++) {
      anyUnknown |= history.outcome(t) == Outcome.UNKNOWN;
      if (history.outcome(t) == Outcome.COMMITTED) {
        mark(t);
      }
    }
    while (anyUnknown && pendingCount > 0) {
      follow(pending[--pendingCount]);
    }
  }

  private void mark(int transaction) {
    happened[transaction] = true;
    pending[pendingCount++] = transaction;
    count++;
  }

  private void follow(int transaction) {
    int end = history.endOperation(transaction);
    for (int i = history.firstOperation(transaction); i < end; i++) {
      switch (history.kind(i)) {
        case READ -> {
          if (history.isPresent(i)) {
            saw(history.key(i), history.value(i));
          }
        }
        case LIST -> {
          for (int k = 0; k < history.count(i); k++) {
            saw(history.key(i), history.element(i, k));
          }
        }
        case SCAN -> {
          for (int k = 0; k < history.count(i); k++) {
            saw(history.scanKey(i, k), history.scanValue(i, k));
          }
        }
        case APPEND, WRITE, INSERT, DELETE -> {}
      }
    }
  }

  private void saw(int key, long value) {
    int write = writes.of(key, value);
    if (write != Writes.NONE) {
      int writer = writes.transactionOf(write);
      if (!happened[writer] && history.outcome(writer) == Outcome.UNKNOWN) {
        mark(writer);
      }
    }
  }

  boolean happened(int transaction) {
    return happened[transaction];
  }

  int count() {
    return count;
  }
}
