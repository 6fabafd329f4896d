package org.nelumbo.checker;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.history.History;
import org.nelumbo.history.HistoryText;

/**
 * Finds the cycles of a dependency graph: one for each strongly connected component, namely the
 * shortest cycle of the component's most severe kind. Only components are searched again with fewer
 * kinds of edges, so a valid history costs one pass.
 */
final class CycleFinder {
  private static final int COMPONENTS_MAX = 8;
  private static final int WRITES = EdgeKind.WW.bit() | EdgeKind.INSIDE.bit();
  private static final int SESSION = EdgeKind.SESSION.bit();
  private static final int TIME = SESSION | EdgeKind.REAL_TIME.bit();
  private static final int FLOW = WRITES | EdgeKind.WR.bit();

  /**
   * Sets of edge kinds from the most severe: writes, information flow, all data dependencies; first
   * without other orders, then with session order, then with real time.
   */
  private static final int[] LEVELS = {
    WRITES,
    FLOW,
    EdgeKind.DATA,
    WRITES | SESSION,
    FLOW | SESSION,
    EdgeKind.DATA | SESSION,
    WRITES | TIME,
    FLOW | TIME,
    EdgeKind.DATA | TIME
  };

  private final History history;
  private final KeyIndex keys;
  private final DependencyGraph graph;
  private final FoundAnomalies findings;

  CycleFinder(History history, KeyIndex keys, DependencyGraph graph, FoundAnomalies findings) {
    this.history = history;
    this.keys = keys;
    this.graph = graph;
    this.findings = findings;
  }

  void find() {
    StronglyConnectedComponents all = new StronglyConnectedComponents(graph, EdgeKind.DATA | TIME);
    int[] sizes = all.sizes();
    int reported = 0;
    for (int part = 0; part < sizes.length && reported < COMPONENTS_MAX; part++) {
      if (sizes[part] > 1) {
        report(worstOf(all.ofNodes(), part));
        reported++;
      }
    }
  }

  private Cycle worstOf(int[] component, int part) {
    for (int kinds : LEVELS) {
      StronglyConnectedComponents inner =
          new StronglyConnectedComponents(graph, kinds, component, part);
      int[] sizes = inner.sizes();
      int smallest = -1;
      for (int i = 0; i < sizes.length; i++) {
        if (sizes[i] > 1 && (smallest < 0 || sizes[i] < sizes[smallest])) {
          smallest = i;
        }
      }
      if (smallest >= 0) {
        return new ShortestCycle(graph, kinds, inner.ofNodes(), smallest).find(sizes[smallest]);
      }
    }
    throw new AssertionError("a component without a cycle");
  }

  private void report(Cycle cycle) {
    StringBuilder text = new StringBuilder();
    List<Integer> transactions = new ArrayList<>();
    for (Cycle.Step step : cycle.steps()) {
      transactions.add(step.from());
      text.append(text.isEmpty() ? "" : "\n").append("  ").append(reason(step));
    }
    for (int transaction : transactions) {
      text.append("\n  ").append(HistoryText.transaction(history, transaction));
    }
    findings.add(new Anomaly(cycle.name(), cycle.order(), transactions, text.toString()));
  }

  private String reason(Cycle.Step step) {
    String arrow = "T" + step.from() + " -" + step.kind().label() + "-> T" + step.to() + ": ";
    return arrow
        + switch (step.kind()) {
          case WW -> "wrote " + keys.key(step.key()) + ", which the other changed later";
          case WR -> "wrote " + keys.key(step.key()) + ", which the other read";
          case RW -> "read " + keys.key(step.key()) + " without the other's change";
          case PREDICATE_RW ->
              "read a range with " + keys.key(step.key()) + ", without the other's change";
          case SESSION -> "the same session, earlier";
          case REAL_TIME ->
              "completed at "
                  + history.completed(step.from())
                  + ", before the other began at "
                  + history.invoked(step.to());
          case INSIDE -> "";
        };
  }
}
