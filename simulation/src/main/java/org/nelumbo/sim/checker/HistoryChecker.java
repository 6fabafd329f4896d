package org.nelumbo.sim.checker;

import org.nelumbo.sim.history.History;

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
    Writes writes = new Writes(history, keys);
    Effective effective = new Effective(history, writes);
    Findings findings = new Findings(history);
    Accesses accesses = new AccessScanner(history, keys, writes, findings).scan(effective);
    DependencyGraph graph = new DependencyGraph(history, effective);
    ListVersions lists = new ListVersions(history, writes, accesses, graph, findings);
    RowVersions rows = new RowVersions(history, keys, effective, accesses, graph, findings);
    for (int key = 0; key < keys.count(); key++) {
      if (keys.isList(key)) {
        lists.add(key);
      } else {
        rows.add(key);
      }
    }
    new RealTimeOrder(history, effective, graph).add();
    graph.seal();
    new CycleFinder(history, keys, graph, findings).find();
    return new Verdict(findings.anomalies(), effective.count(), graph.edges(), rows.unresolved());
  }
}
