package org.nelumbo.checker;

import org.nelumbo.history.History;

/**
 * Checks that a history is what its isolation levels promise: serializable transactions act at one
 * moment between their beginning and their end (strict serializability); snapshot transactions read
 * what had committed at one such moment and commit at another, and of two that change the same key
 * one has committed before the snapshot of the other. Both may be in one history.
 *
 * <p>What it reports is wrong for certain. What it does not report is right if every version's
 * place is known: lists that are read in the end, rows that are read before they are written.
 *
 * <p>Time and memory grow linearly with operations and with elements of the lists read, but for the
 * sorting of transactions by time.
 */
public final class HistoryChecker {
  private HistoryChecker() {}

  /**
   * Checks a history.
   *
   * @throws IllegalArgumentException if it cannot be judged: a value written twice, a key used as
   *     list and as row
   */
  public static Verdict check(History history) {
    KeyIndex keys = new KeyIndex(history);
    WriteIndex writeIndex = new WriteIndex(history, keys);
    EffectiveTransactions effectiveTransactions = new EffectiveTransactions(history, writeIndex);
    FoundAnomalies findings = new FoundAnomalies(history);
    AccessTable accessTable =
        new AccessScanner(history, keys, writeIndex, findings).scan(effectiveTransactions);
    DependencyGraph graph = new DependencyGraph(history, effectiveTransactions);
    ListVersions lists = new ListVersions(history, writeIndex, accessTable, graph, findings);
    RowVersions rows =
        new RowVersions(history, keys, effectiveTransactions, accessTable, graph, findings);
    for (int key = 0; key < keys.count(); key++) {
      if (keys.isList(key)) {
        lists.add(key);
      } else {
        rows.add(key);
      }
    }
    new RealTimeOrder(history, effectiveTransactions, graph).add();
    graph.seal();
    new CycleFinder(history, keys, graph, findings).find();
    return new Verdict(
        findings.anomalies(), effectiveTransactions.count(), graph.edges(), rows.unresolved());
  }
}
