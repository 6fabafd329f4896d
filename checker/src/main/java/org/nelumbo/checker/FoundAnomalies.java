package org.nelumbo.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.history.History;
import org.nelumbo.history.HistoryText;

/** Collects anomalies; keeps only the first few of each kind. Not thread-safe. */
final class FoundAnomalies {
  private static final int KEPT_OF_A_KIND = 4;

  private final History history;
  private final Map<AnomalyKind, List<Anomaly>> found = new EnumMap<>(AnomalyKind.class);

  FoundAnomalies(History history) {
    this.history = history;
  }

  void add(Anomaly anomaly) {
    List<Anomaly> same = found.computeIfAbsent(anomaly.kind(), kind -> new ArrayList<>());
    if (same.size() < KEPT_OF_A_KIND) {
      same.add(anomaly);
    }
  }

  /** Adds an anomaly whose explanation contains the whole transactions. */
  void add(AnomalyKind kind, String what, int... transactions) {
    List<Integer> involved = new ArrayList<>();
    StringBuilder text = new StringBuilder(what);
    for (int transaction : transactions) {
      if (!involved.contains(transaction)) {
        involved.add(transaction);
        text.append("\n  ").append(HistoryText.transaction(history, transaction));
      }
    }
    add(new Anomaly(kind, Anomaly.Order.DATA, involved, text.toString()));
  }

  /** Returns all kept anomalies, the simplest first. */
  List<Anomaly> anomalies() {
    return found.values().stream()
        .flatMap(List::stream)
        .sorted(Comparator.comparing(Anomaly::kind))
        .toList();
  }
}
