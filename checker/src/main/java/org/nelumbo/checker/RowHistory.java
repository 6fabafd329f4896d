package org.nelumbo.checker;

import java.util.Arrays;
import org.nelumbo.history.History;
import org.nelumbo.history.OperationKind;

/**
 * The versions of one row, not in order yet: one for each transaction that changed it, each with
 * the time in which it may have come into being, and the version before the first. Real time tells
 * some of their order: a version whose transaction had completed when that of another began is
 * older.
 */
final class RowHistory {
  /** Not determined. */
  static final int UNKNOWN = -1;

  /** How many deletions are looked at to explain that a row was missing. */
  private static final int CANDIDATES_MAX = 64;

  private final History history;
  private final AccessTable accessTable;
  private final long unknownDeletion;

  private final int[] rows;
  private final boolean hasDeletions;
  private final long[] invoked;
  private final long[] completed;

  /** The largest beginning among a version and those that completed before it. */
  private final long[] lastInvoked;

  /** The first beginning among a version and those that completed after it. */
  private final long[] firstInvoked;

  /**
   * @param unknownDeletion when the first deletion of unknown outcome, which nobody can tell to
   *     have happened, began; {@link History#NEVER} if there is none
   */
  RowHistory(History history, AccessTable accessTable, int key, long unknownDeletion) {
    this.history = history;
    this.accessTable = accessTable;
    this.unknownDeletion = unknownDeletion;
    int[] found = new int[accessTable.endOf(key) - accessTable.firstOf(key)];
    int count = 0;
    for (int i = accessTable.firstOf(key); i < accessTable.endOf(key); i++) {
      if (accessTable.write(accessTable.row(i)) != WriteIndex.NONE) {
        found[count++] = accessTable.row(i);
      }
    }
    rows = sortedByCompletion(Arrays.copyOf(found, count));
    hasDeletions = Arrays.stream(rows).anyMatch(this::isDeletion);
    invoked = new long[count];
    completed = new long[count];
    lastInvoked = new long[count];
    firstInvoked = new long[count];
    long last = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      invoked[i] = history.invoked(transaction(i));
      completed[i] = history.completed(transaction(i));
      last = Math.max(last, invoked[i]);
      lastInvoked[i] = last;
    }
    long first = Long.MAX_VALUE;
    for (int i = count - 1; i >= 0; i--) {
      first = Math.min(first, invoked[i]);
      firstInvoked[i] = first;
    }
  }

  private int[] sortedByCompletion(int[] unsorted) {
    return Arrays.stream(unsorted)
        .boxed()
        .sorted(
            (one, other) ->
                Long.compare(
                    history.completed(accessTable.transaction(one)),
                    history.completed(accessTable.transaction(other))))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Number of versions; they are numbered by completion. */
  int count() {
    return rows.length;
  }

  /** The number of the version before the first, which no transaction wrote. */
  int initial() {
    return rows.length;
  }

  int transaction(int version) {
    return accessTable.transaction(rows[version]);
  }

  int write(int version) {
    return accessTable.write(rows[version]);
  }

  private boolean isDeletionAt(int version) {
    return isDeletion(rows[version]);
  }

  private boolean isDeletion(int accessRow) {
    return history.kind(accessTable.write(accessRow)) == OperationKind.DELETE;
  }

  /** Whether real time says that a version is older than another. */
  boolean isCertainlyOlder(int version, int other) {
    return completed[version] < invoked[other];
  }

  /** Number of versions that had completed before a moment. */
  int completedBefore(long moment) {
    int low = 0;
    int high = rows.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (completed[middle] < moment) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The first of the versions that had completed before a moment and that no other of those
   * certainly replaced; the last is {@link #completedBefore} - 1.
   */
  int firstCurrent(long moment) {
    int before = completedBefore(moment);
    return before == 0 ? 0 : Math.min(completedBefore(lastInvoked[before - 1]), before);
  }

  /**
   * The version that a transaction saw which found no row: {@link #initial}, a deletion, or {@link
   * #UNKNOWN} if several may be it.
   *
   * @return also -2 if none can be
   */
  int absence(int reader) {
    if (unknownDeletion <= history.completed(reader)) {
      return UNKNOWN;
    }
    if (!hasDeletions) {
      return initial();
    }
    long begin = history.invoked(reader);
    int candidate = completedBefore(begin) == 0 ? initial() : -2;
    int looked = 0;
    long end = history.completed(reader);
    for (int i = firstCurrent(begin); i < rows.length && firstInvoked[i] <= end; i++) {
      boolean possible = isDeletionAt(i) && transaction(i) != reader && invoked[i] <= end;
      if (possible && candidate != -2 || ++looked > CANDIDATES_MAX) {
        return UNKNOWN;
      }
      candidate = possible ? i : candidate;
    }
    return candidate;
  }
}
