package org.nelumbo.checker;

import java.util.List;

/**
 * An anomaly of a history.
 *
 * @param kind name of the anomaly
 * @param order order that a cycle needs in addition to data dependencies
 * @param transactions the transactions involved; for a cycle, in its order
 * @param explanation operations of these transactions, in several lines
 */
public record Anomaly(
    AnomalyKind kind, Order order, List<Integer> transactions, String explanation) {
  /** Orders of the transactions of a cycle in addition to data dependencies. */
  public enum Order {
    /** No additional order: the values alone contradict each other. */
    DATA(""),
    /** The order of the transactions of one client. */
    SESSION("-session"),
    /** The order of a transaction and another one that began after its completion. */
    REAL_TIME("-realtime");

    private final String suffix;

    Order(String suffix) {
      this.suffix = suffix;
    }
  }

  public Anomaly {
    transactions = List.copyOf(transactions);
  }

  /** Returns name and variant, such as {@code G-single-realtime}. */
  public String name() {
    return kind.label() + order.suffix;
  }

  @Override
  public String toString() {
    return name() + " (" + kind.meaning() + ")\n" + explanation;
  }
}
