package org.nelumbo.tatp.terminal;

import java.util.Arrays;
import java.util.List;

/**
 * The seven transaction types with their shares in percent, and the percentage that succeeds by the
 * rules of the population. Ordinals are the indexes that a terminal draws.
 */
public enum TransactionType {
  GET_SUBSCRIBER_DATA(35, 100),
  GET_NEW_DESTINATION(10, 14.8),
  GET_ACCESS_DATA(35, 62.5),
  UPDATE_SUBSCRIBER_DATA(2, 62.5),
  UPDATE_LOCATION(14, 100),
  INSERT_CALL_FORWARDING(2, 31.25),
  DELETE_CALL_FORWARDING(2, 31.25);

  private final int share;
  private final double successPercent;

  TransactionType(int share, double successPercent) {
    this.share = share;
    this.successPercent = successPercent;
  }

  /** Returns the names in the description, in the order of the constants. */
  public static List<String> titles() {
    return Arrays.stream(values()).map(Enum::name).toList();
  }

  /** Returns the share of each type, in the order of the constants. */
  public static int[] shares() {
    return Arrays.stream(values()).mapToInt(type -> type.share).toArray();
  }

  /**
   * Returns the percentage of transactions that succeed. A row of a given type exists in 5 of 8
   * cases (a subscriber has 1 to 4 of 4 types, equally often). If the facility exists, a call
   * forwarding for a given start time exists in half of the cases. The 14.8 of GET_NEW_DESTINATION
   * follow from that, 85% active facilities, ends 1 to 8 hours after the start, and the predicate
   * of the query; 23.9 is often quoted.
   */
  public double successPercent() {
    return successPercent;
  }
}
