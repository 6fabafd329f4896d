package org.nelumbo.checker;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.nelumbo.history.History;

/**
 * Adds the orders that do not depend on data: the order of each session, and real time. Real time
 * consists of up to n * n pairs; a chain of nodes for points in time represents them. A transaction
 * has an edge to the point after its completion. A point has an edge to the next point, and to the
 * transactions that began after it.
 */
final class RealTimeOrder {
  private final History history;
  private final EffectiveTransactions effectiveTransactions;
  private final DependencyGraph graph;

  RealTimeOrder(
      History history, EffectiveTransactions effectiveTransactions, DependencyGraph graph) {
    this.history = history;
    this.effectiveTransactions = effectiveTransactions;
    this.graph = graph;
  }

  void add() {
    int[] byBeginning = sorted(false);
    addSessions(byBeginning);
    addRealTime(byBeginning, sorted(true));
  }

  /** Returns the effective transactions, or the completed ones among them, sorted by time. */
  private int[] sorted(boolean completion) {
    long[] times = new long[history.size()];
    Integer[] order = new Integer[history.size()];
    int count = 0;
    for (int t = 0; t < history.size(); t++) {
      if (effectiveTransactions.happened(t)
          && (!completion || history.completed(t) != History.NEVER)) {
        times[t] = completion ? history.completed(t) : history.invoked(t);
        order[count++] = t;
      }
    }
    Arrays.sort(order, 0, count, (one, other) -> Long.compare(times[one], times[other]));
    int[] result = new int[count];
    for (int i = 0; i < count; i++) {
      result[i] = order[i];
    }
    return result;
  }

  private void addSessions(int[] byBeginning) {
    Map<Integer, Integer> lastOfSession = new HashMap<>();
    for (int transaction : byBeginning) {
      Integer before = lastOfSession.get(history.session(transaction));
      if (before != null) {
        graph.add(before, transaction, EdgeKind.SESSION, 0);
      }
      // A transaction of unknown outcome may take effect after its client has continued.
      if (history.completed(transaction) != History.NEVER) {
        lastOfSession.put(history.session(transaction), transaction);
      }
    }
  }

  private void addRealTime(int[] byBeginning, int[] byCompletion) {
    int moment = -1;
    int completed = 0;
    for (int transaction : byBeginning) {
      int from = completed;
      while (completed < byCompletion.length
          && history.completed(byCompletion[completed]) < history.invoked(transaction)) {
        completed++;
      }
      if (completed > from) {
        moment = nextMoment(moment, byCompletion, from, completed);
      }
      if (moment >= 0) {
        graph.addIn(moment, transaction, EdgeKind.REAL_TIME, false);
      }
    }
  }

  private int nextMoment(int before, int[] byCompletion, int from, int end) {
    int moment = graph.newNode();
    if (before >= 0) {
      graph.addBetween(before, moment, EdgeKind.REAL_TIME);
    }
    for (int i = from; i < end; i++) {
      graph.addOut(byCompletion[i], moment, EdgeKind.REAL_TIME, 0);
    }
    return moment;
  }
}
