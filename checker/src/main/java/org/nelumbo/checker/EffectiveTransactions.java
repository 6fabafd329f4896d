package org.nelumbo.checker;

import org.nelumbo.history.History;
import org.nelumbo.history.Outcome;

/**
 * The effective transactions: all committed ones, and each transaction of unknown outcome whose
 * writes an effective transaction has read. Nothing is assumed about other transactions of unknown
 * outcome.
 */
final class EffectiveTransactions {
  private final History history;
  private final WriteIndex writeIndex;
  private final boolean[] happened;
  private final int[] pending;
  private int pendingCount;
  private int count;

  EffectiveTransactions(History history, WriteIndex writeIndex) {
    this.history = history;
    this.writeIndex = writeIndex;
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
    int write = writeIndex.of(key, value);
    if (write != WriteIndex.NONE) {
      int writer = writeIndex.transactionOf(write);
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
