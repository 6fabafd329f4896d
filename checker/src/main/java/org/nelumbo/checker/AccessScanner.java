package org.nelumbo.checker;

import java.util.Arrays;
import org.nelumbo.history.History;
import org.nelumbo.history.HistoryText;
import org.nelumbo.history.OperationKind;
import org.nelumbo.history.Outcome;

/**
 * Scans each effective transaction: reports internal contradictions and invalid reads, and records
 * the transaction's accesses to each key.
 */
final class AccessScanner {
  private final History history;
  private final KeyIndex keys;
  private final WriteIndex writeIndex;
  private final FoundAnomalies findings;
  private final AccessTable accessTable = new AccessTable();
  private final int[] rowOfKey;
  private final int[] touched;
  private int touchedCount;
  private int transaction;

  AccessScanner(History history, KeyIndex keys, WriteIndex writeIndex, FoundAnomalies findings) {
    this.history = history;
    this.keys = keys;
    this.writeIndex = writeIndex;
    this.findings = findings;
    this.rowOfKey = new int[keys.count()];
    this.touched = new int[keys.count()];
    Arrays.fill(rowOfKey, -1);
  }

  AccessTable scan(EffectiveTransactions effectiveTransactions) {
    for (int t = 0; t < history.size(); t++) {
      if (effectiveTransactions.happened(t)) {
        transaction = t;
        for (int i = history.firstOperation(t); i < history.endOperation(t); i++) {
          operation(i);
        }
        endTransaction();
      }
    }
    accessTable.seal(keys.count());
    return accessTable;
  }

  private void endTransaction() {
    for (int i = 0; i < touchedCount; i++) {
      int row = rowOfKey[touched[i]];
      rowOfKey[touched[i]] = -1;
      int write = accessTable.write(row);
      boolean deletes = write != WriteIndex.NONE && history.kind(write) == OperationKind.DELETE;
      if (deletes && accessTable.found(row) == AccessTable.NOTHING) {
        accessTable.clearWrite(row);
      }
    }
    touchedCount = 0;
  }

  private int rowOf(int keyIndex) {
    if (rowOfKey[keyIndex] < 0) {
      rowOfKey[keyIndex] = accessTable.add(transaction, keyIndex);
      touched[touchedCount++] = keyIndex;
    }
    return rowOfKey[keyIndex];
  }

  private void operation(int operation) {
    OperationKind kind = history.kind(operation);
    if (kind == OperationKind.SCAN) {
      range(operation);
      return;
    }
    int row = rowOf(keys.of(history.key(operation)));
    switch (kind) {
      case APPEND, WRITE -> accessTable.setWrite(row, operation);
      case LIST -> list(operation, row);
      case READ ->
          read(
              row,
              operation,
              history.key(operation),
              history.isPresent(operation),
              history.value(operation),
              false);
      case INSERT -> {
        expect(row, operation, false);
        accessTable.setWrite(row, operation);
      }
      case DELETE -> {
        expect(row, operation, true);
        accessTable.setWrite(row, operation);
      }
      case SCAN -> throw new AssertionError(kind);
    }
  }

  /**
   * Checks that a successful insert or deletion agrees with the transaction's knowledge of the row.
   */
  private void expect(int row, int operation, boolean present) {
    int own = accessTable.write(row);
    int found = accessTable.found(row);
    boolean known = own != WriteIndex.NONE || found != AccessTable.NOT_READ;
    boolean there =
        own != WriteIndex.NONE
            ? history.kind(own) != OperationKind.DELETE
            : found != AccessTable.NOTHING && found != AccessTable.NOT_READ;
    if (known && found != AccessTable.BROKEN && there != present) {
      disagrees(operation);
    } else if (!known && !present) {
      accessTable.setFound(row, AccessTable.NOTHING, false);
    }
  }

  private void range(int operation) {
    int at = 0;
    int end = keys.ceiling(history.scanHigh(operation));
    if (end < keys.count() && keys.key(end) == history.scanHigh(operation)) {
      end++;
    }
    for (int k = keys.ceiling(history.key(operation)); k < end; k++) {
      if (keys.isList(k)) {
        continue;
      }
      int key = keys.key(k);
      at = unknownRows(operation, at, key);
      boolean present = at < history.count(operation) && history.scanKey(operation, at) == key;
      long value = present ? history.scanValue(operation, at++) : 0;
      read(rowOf(k), operation, key, present, value, true);
    }
    unknownRows(operation, at, Integer.MAX_VALUE);
  }

  /** Reports rows of a range read with keys that have no write. */
  private int unknownRows(int operation, int from, int below) {
    int at = from;
    while (at < history.count(operation) && history.scanKey(operation, at) < below) {
      findings.add(
          AnomalyKind.GARBAGE_READ,
          "no transaction wrote "
              + history.scanKey(operation, at)
              + ":"
              + history.scanValue(operation, at),
          transaction);
      at++;
    }
    return at;
  }

  private void read(int row, int operation, int key, boolean present, long value, boolean isRange) {
    int version = present ? writeIndex.of(key, value) : AccessTable.NOTHING;
    int own = accessTable.write(row);
    if (own != WriteIndex.NONE) {
      boolean deleted = history.kind(own) == OperationKind.DELETE;
      if (deleted ? present : version != own) {
        disagrees(operation);
      }
      return;
    }
    int before = accessTable.found(row);
    if (before == AccessTable.NOT_READ) {
      accessTable.setFound(row, checked(operation, key, version, value), isRange);
    } else if (before != AccessTable.BROKEN && before != version) {
      disagrees(operation);
    }
  }

  private void disagrees(int operation) {
    findings.add(
        AnomalyKind.INTERNAL,
        "T"
            + transaction
            + ": "
            + HistoryText.operation(history, operation)
            + " contradicts what it did or saw before",
        transaction);
  }

  /**
   * Returns a version found by a transaction that has not written it itself before, after checking
   * it.
   */
  private int checked(int operation, int key, int version, long value) {
    if (version == AccessTable.NOTHING) {
      return version;
    }
    if (version == WriteIndex.NONE) {
      findings.add(
          AnomalyKind.GARBAGE_READ, "no transaction wrote " + key + ":" + value, transaction);
      return AccessTable.BROKEN;
    }
    int writer = writeIndex.transactionOf(version);
    if (writer == transaction) {
      disagrees(operation);
      return AccessTable.BROKEN;
    }
    return isReadable(version, writer, transaction) ? version : AccessTable.BROKEN;
  }

  /**
   * Returns true if a version is readable. Reports reads of an aborted transaction's write, and of
   * a write that its transaction replaced.
   */
  private boolean isReadable(int version, int writer, int reader) {
    String what =
        "T" + reader + " read what T" + writer + " did: " + HistoryText.operation(history, version);
    if (history.outcome(writer) == Outcome.ABORTED) {
      findings.add(AnomalyKind.ABORTED_READ, what + ", but it aborted", writer, reader);
      return false;
    }
    if (!writeIndex.isLast(version)) {
      findings.add(AnomalyKind.INTERMEDIATE_READ, what + ", and then changed", writer, reader);
      return false;
    }
    return true;
  }

  private void list(int operation, int row) {
    int own = accessTable.write(row) == WriteIndex.NONE ? 0 : ownElements(operation, row);
    int length = history.count(operation) - own;
    if (own < 0 || length < 0) {
      disagrees(operation);
    } else if (accessTable.found(row) == AccessTable.NOT_READ) {
      accessTable.setFound(row, operation, false);
      accessTable.setLength(row, length);
    } else if (accessTable.length(row) != length
        || !agrees(accessTable.found(row), operation, length)) {
      disagrees(operation);
    }
  }

  /**
   * Returns the number of the transaction's own elements, which must be the last ones; -1 if they
   * are not.
   */
  private int ownElements(int operation, int row) {
    int key = history.key(operation);
    int at = history.count(operation) - 1;
    int own = 0;
    for (int i = accessTable.write(row); i >= accessTable.firstWrite(row); i--) {
      if (history.kind(i) == OperationKind.APPEND && history.key(i) == key) {
        if (at < 0 || history.element(operation, at) != history.value(i)) {
          return -1;
        }
        at--;
        own++;
      }
    }
    return own;
  }

  private boolean agrees(int one, int other, int length) {
    for (int i = 0; i < length; i++) {
      if (history.element(one, i) != history.element(other, i)) {
        return false;
      }
    }
    return true;
  }
}
