package org.nelumbo.checker;

import java.util.Arrays;
import org.nelumbo.history.History;
import org.nelumbo.history.OperationKind;

/**
 * The versions of one row, not ordered yet: one for each transaction that changed it, with the time
 * interval in which it may have been created, and the initial version. Real time determines a part
 * of their order: a version whose transaction had completed when another's began is older.
 */
final class RowHistory {
  /** The version is not determined. */
  static final int UNKNOWN = -1;

  /** Maximum number of versions that are examined to explain a missing row. */
  private static final int CANDIDATES_MAX = 64;

  private final History history;
  private final AccessTable accessTable;
  private final long unknownDeletion;

  private final int[] rows;
  private final boolean hasDeletions;
  private final long[] invoked;
  private final long[] completed;

  /** The latest beginning among a version and the versions that completed before it. */
  private final long[] lastInvoked;

  /** The earliest beginning among a version and the versions that completed after it. */
  private final long[] firstInvoked;

  /**
   * @param unknownDeletion beginning of the first deletion of unknown outcome that may or may not
   *     have taken effect; {@link History#NEVER} if there is none
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

  /** Returns the number of versions; they are numbered by completion. */
  int count() {
    return rows.length;
  }

  /** Returns the number of the initial version, which no transaction wrote. */
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

  /** Returns true if a version is older than another in real time. */
  boolean isCertainlyOlder(int version, int other) {
    return completed[version] < invoked[other];
  }

  /** Returns the number of versions that had completed before a time. */
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
   * Returns the first version that had completed before a time and was not certainly replaced by
   * another such version; the last one is {@link #completedBefore} - 1.
   */
  int firstCurrent(long moment) {
    int before = completedBefore(moment);
    return before == 0 ? 0 : Math.min(completedBefore(lastInvoked[before - 1]), before);
  }

  /**
   * Returns the version seen by a transaction that found no row: {@link #initial}, a deletion, or
   * {@link #UNKNOWN} if there are several candidates.
   *
   * @return the version; -2 if there is no candidate
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
