package org.nelumbo.checker;

import org.nelumbo.history.History;

/**
 * Checks that a history satisfies its isolation levels.
 *
 * <ul>
 *   <li>Serializable transactions take effect at one time between their beginning and their end
 *       (strict serializability).
 *   <li>Snapshot transactions read what had committed at one such time and commit at another. Of
 *       two snapshot transactions that change the same key, one has committed before the snapshot
 *       of the other.
 * </ul>
 *
 * <p>A history may contain both.
 *
 * <p>Each reported anomaly is a real violation. A history without a reported anomaly is valid if
 * the position of every version in the version order is known: lists that are read at the end, rows
 * that are read before they are written.
 *
 * <p>Time and memory are linear in the number of operations and of elements in the lists read,
 * except for sorting the transactions by time.
 */
public final class HistoryChecker {
  private HistoryChecker() {}

  /**
   * Checks a history.
   *
   * @throws IllegalArgumentException if it cannot be judged, because a value was written twice, or
   *     a key was used as list and as row
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
