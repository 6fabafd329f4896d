package org.nelumbo.tatp.terminal;

import java.util.Arrays;
import java.util.List;

/**
 * The seven types with their shares of a hundred, and how many of a hundred succeed by the rules of
 * the population. Ordinals are the indexes a terminal draws.
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

  /** The names in the description, in the order of the constants. */
  public static List<String> titles() {
    return Arrays.stream(values()).map(Enum::name).toList();
  }

  /** Shares of each type, in the order of the constants. */
  public static int[] shares() {
    return Arrays.stream(values()).mapToInt(type -> type.share).toArray();
  }

  /**
   * How many of a hundred succeed: 5 of 8 rows of a type exist (1 to 4 of 4 types, equally often);
   * of those a call forwarding for a given start exists half of the time. The 14.8 of
   * GET_NEW_DESTINATION follow from that, 85% active facilities, ends 1 to 8 hours after the start
   * and the predicate of the query; 23.9 is often quoted.
   */
  public double successPercent() {
    return successPercent;
  }
}
