package org.nelumbo.checker;

import java.util.List;

/**
 * One thing that is wrong with a history.
 *
 * @param kind what it is called
 * @param order which order a cycle needs besides that of data
 * @param transactions who is involved; of a cycle, in its order
 * @param explanation who did what, over several lines
 */
public record Anomaly(
    AnomalyKind kind, Order order, List<Integer> transactions, String explanation) {
  /** What besides data orders the transactions of a cycle. */
  public enum Order {
    /** Nothing: the values alone contradict each other. */
    DATA(""),
    /** That a client's transactions follow one another. */
    SESSION("-session"),
    /** That a transaction began after another had completed. */
    REAL_TIME("-realtime");

    private final String suffix;

    Order(String suffix) {
      this.suffix = suffix;
    }
  }

  public Anomaly {
    transactions = List.copyOf(transactions);
  }

  /** Name and variant, such as {@code G-single-realtime}. */
  public String name() {
    return kind.label() + order.suffix;
  }

  @Override
  public String toString() {
    return name() + " (" + kind.meaning() + ")\n" + explanation;
  }
}
