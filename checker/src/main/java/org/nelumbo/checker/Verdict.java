package org.nelumbo.checker;

import java.util.List;

/**
 * The verdict of a checker.
 *
 * @param anomalies anomalies, the worst first; empty if there are none
 * @param transactions number of effective transactions: committed, or seen by an effective one
 * @param edges number of dependencies between them
 * @param unresolved number of reads of a missing row that several deletions explain; they were not
 *     used
 */
public record Verdict(List<Anomaly> anomalies, int transactions, long edges, int unresolved) {
  public Verdict {
    anomalies = List.copyOf(anomalies);
  }

  /** Returns true if the history satisfies its isolation levels. */
  public boolean isValid() {
    return anomalies.isEmpty();
  }

  /** Returns true if an anomaly of this kind was found. */
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
