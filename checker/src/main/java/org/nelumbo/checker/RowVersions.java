package org.nelumbo.checker;

import java.util.Arrays;
import org.nelumbo.history.History;
import org.nelumbo.history.HistoryText;
import org.nelumbo.history.OperationKind;

/**
 * Adds the dependencies through one row. A transaction that read the row and changed it replaced
 * the version that it read; this alone orders the versions if all transactions read before they
 * write. Otherwise real time provides a part of the order: a version is older if its transaction
 * had completed before another's began, or before the read of another version began. An
 * undetermined order adds no dependency.
 */
final class RowVersions {
  private final History history;
  private final AccessTable accessTable;
  private final DependencyGraph graph;
  private final FoundAnomalies findings;
  private final long[] unknownDeletions;
  private final int[] versionOfWrite;
  private int unresolved;

  private int key;
  private RowHistory versions;
  private int[] foundVersion = new int[64];
  private int pairs;
  private int[] older = new int[64];
  private int[] newer = new int[64];

  RowVersions(
      History history,
      KeyIndex keys,
      EffectiveTransactions effectiveTransactions,
      AccessTable accessTable,
      DependencyGraph graph,
      FoundAnomalies findings) {
    this.history = history;
    this.accessTable = accessTable;
    this.graph = graph;
    this.findings = findings;
    this.versionOfWrite = new int[history.operations()];
    this.unknownDeletions = new long[keys.count()];
    Arrays.fill(unknownDeletions, History.NEVER);
    for (int t = 0; t < history.size(); t++) {
      if (history.completed(t) == History.NEVER && !effectiveTransactions.happened(t)) {
        for (int i = history.firstOperation(t); i < history.endOperation(t); i++) {
          if (history.kind(i) == OperationKind.DELETE) {
            int index = keys.of(history.key(i));
            unknownDeletions[index] = Math.min(unknownDeletions[index], history.invoked(t));
          }
        }
      }
    }
  }

  /** Returns the number of reads that several deletions explain, for all keys so far. */
  int unresolved() {
    return unresolved;
  }

  void add(int keyIndex) {
    key = keyIndex;
    versions = new RowHistory(history, accessTable, key, unknownDeletions[key]);
    pairs = 0;
    for (int i = 0; i < versions.count(); i++) {
      versionOfWrite[versions.write(i)] = i;
    }
    int rowCount = accessTable.endOf(key) - accessTable.firstOf(key);
    foundVersion = rowCount > foundVersion.length ? new int[rowCount * 2] : foundVersion;
    for (int i = 0; i < rowCount; i++) {
      foundVersion[i] = resolve(accessTable.row(accessTable.firstOf(key) + i));
    }
    orderByReplacement();
    joinInitial();
    addDependencies();
  }

  private int resolve(int row) {
    int found = accessTable.found(row);
    if (found >= 0) {
      return versionOfWrite[found];
    }
    if (found != AccessTable.NOTHING) {
      return RowHistory.UNKNOWN;
    }
    int reader = accessTable.transaction(row);
    int version = versions.absence(reader);
    if (version == RowHistory.UNKNOWN) {
      unresolved++;
    } else if (version < 0) {
      findings.add(
          AnomalyKind.MISSING_ROW,
          "T" + reader + " did not find the row that these wrote",
          involved(reader));
      return RowHistory.UNKNOWN;
    }
    return version;
  }

  /** Returns the reader and the transactions whose versions were current when it began. */
  private int[] involved(int reader) {
    long begin = history.invoked(reader);
    int first = versions.firstCurrent(begin);
    int[] transactions = new int[1 + versions.completedBefore(begin) - first];
    transactions[0] = reader;
    for (int i = 1; i < transactions.length; i++) {
      transactions[i] = versions.transaction(first + i - 1);
    }
    return transactions;
  }

  private void orderByReplacement() {
    int[] replacedBy = new int[versions.count() + 1];
    Arrays.fill(replacedBy, -1);
    boolean complete = true;
    for (int i = 0; i < accessTable.endOf(key) - accessTable.firstOf(key); i++) {
      int row = accessTable.row(accessTable.firstOf(key) + i);
      if (accessTable.write(row) == WriteIndex.NONE) {
        continue;
      }
      int version = versionOfWrite[accessTable.write(row)];
      int found = foundVersion[i];
      if (found == RowHistory.UNKNOWN) {
        complete = false;
      } else {
        addPair(found, version);
        reportLostUpdate(replacedBy[found], version);
        replacedBy[found] = version;
      }
    }
    if (!complete) {
      orderByRealTime();
    }
  }

  private void reportLostUpdate(int one, int other) {
    if (one >= 0) {
      findings.add(
          AnomalyKind.LOST_UPDATE,
          "both replaced the same version: "
              + HistoryText.operation(history, versions.write(one))
              + " and "
              + HistoryText.operation(history, versions.write(other)),
          versions.transaction(one),
          versions.transaction(other));
    }
  }

  private void orderByRealTime() {
    for (int i = 0; i < versions.count(); i++) {
      addOlder(history.invoked(versions.transaction(i)), i);
    }
    for (int i = 0; i < accessTable.endOf(key) - accessTable.firstOf(key); i++) {
      int found = foundVersion[i];
      if (found >= 0 && found < versions.count()) {
        int reader = accessTable.transaction(accessTable.row(accessTable.firstOf(key) + i));
        addOlder(history.invoked(reader), found);
      }
    }
  }

  /**
   * Adds the versions that had completed at a time as older than this one. Skips versions that are
   * certainly newer: then the read that saw this version was wrong, and the reader is in a cycle.
   */
  private void addOlder(long moment, int version) {
    int end = versions.completedBefore(moment);
    for (int i = versions.firstCurrent(moment); i < end; i++) {
      if (i != version && !versions.isCertainlyOlder(version, i)) {
        addPair(i, version);
      }
    }
  }

  private void addPair(int one, int other) {
    if (pairs == older.length) {
      older = Arrays.copyOf(older, pairs * 2);
      newer = Arrays.copyOf(newer, pairs * 2);
    }
    older[pairs] = one;
    newer[pairs] = other;
    pairs++;
  }

  /** Adds the initial version as older than each version without another predecessor. */
  private void joinInitial() {
    boolean[] hasOlder = new boolean[versions.count()];
    for (int i = 0; i < pairs; i++) {
      hasOlder[newer[i]] = true;
    }
    for (int i = 0; i < hasOlder.length; i++) {
      if (!hasOlder[i]) {
        addPair(versions.initial(), i);
      }
    }
  }

  private void addDependencies() {
    int[] head = new int[versions.count() + 1];
    int[] next = new int[pairs];
    Arrays.fill(head, -1);
    for (int i = 0; i < pairs; i++) {
      next[i] = head[older[i]];
      head[older[i]] = i;
      if (older[i] != versions.initial()) {
        graph.add(versions.transaction(older[i]), versions.transaction(newer[i]), EdgeKind.WW, key);
      }
    }
    for (int i = 0; i < accessTable.endOf(key) - accessTable.firstOf(key); i++) {
      int found = foundVersion[i];
      if (found != RowHistory.UNKNOWN) {
        int row = accessTable.row(accessTable.firstOf(key) + i);
        int reader = accessTable.transaction(row);
        if (found != versions.initial()) {
          graph.add(versions.transaction(found), reader, EdgeKind.WR, key);
        }
        EdgeKind anti = accessTable.isByRange(row) ? EdgeKind.PREDICATE_RW : EdgeKind.RW;
        for (int k = head[found]; k >= 0; k = next[k]) {
          graph.add(reader, versions.transaction(newer[k]), anti, key);
        }
      }
    }
  }
}
