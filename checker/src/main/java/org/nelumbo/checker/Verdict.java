package org.nelumbo.checker;

import java.util.List;

/**
 * The verdict of a checker.
 *
 * @param anomalies what is wrong, the worst first; empty if nothing is
 * @param transactions number of transactions that count: committed, or seen by one that did
 * @param edges dependencies among them
 * @param unresolved reads of a missing row that several deletions explain; they were not used
 */
public record Verdict(List<Anomaly> anomalies, int transactions, long edges, int unresolved) {
  public Verdict {
    anomalies = List.copyOf(anomalies);
  }

  /** Whether the history is what its isolation levels promise. */
  public boolean isValid() {
    return anomalies.isEmpty();
  }

  /** Whether an anomaly of this kind is among those found. */
  public boolean has(AnomalyKind kind) {
    return anomalies.stream().anyMatch(each -> each.kind() == kind);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(isValid() ? "valid" : "INVALID: " + anomalies.size() + " anomalies");
    text.append(", ").append(transactions).append(" transactions, ").append(edges);
    text.append(" dependencies");
    if (unresolved > 0) {
      text.append(", ").append(unresolved).append(" reads of missing rows left open");
    }
    anomalies.forEach(each -> text.append("\n\n").append(each));
    return text.toString();
  }
}
