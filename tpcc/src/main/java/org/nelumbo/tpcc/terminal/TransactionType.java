package org.nelumbo.tpcc.terminal;

import java.util.Arrays;
import java.util.List;

/**
 * The five transaction types with their share of the deck (clause 5.2.4.2) and the times of a user
 * (clause 5.2.5.7). Ordinals are the indexes that a terminal draws.
 */
public enum TransactionType {
  NEW_ORDER("New-Order", 10, 45, 18, 12),
  PAYMENT("Payment", 10, 43, 3, 12),
  ORDER_STATUS("Order-Status", 1, 4, 2, 10),
  DELIVERY("Delivery", 1, 4, 2, 5),
  STOCK_LEVEL("Stock-Level", 1, 4, 2, 5);

  private final String title;
  private final int cards;
  private final int prototypeCards;
  private final int keyingSeconds;
  private final int thinkSecondsMean;

  TransactionType(
      String title, int cards, int prototypeCards, int keyingSeconds, int thinkSecondsMean) {
    this.title = title;
    this.cards = cards;
    this.prototypeCards = prototypeCards;
    this.keyingSeconds = keyingSeconds;
    this.thinkSecondsMean = thinkSecondsMean;
  }

  /** Returns the names in the specification, in the order of the constants. */
  public static List<String> titles() {
    return Arrays.stream(values()).map(type -> type.title).toList();
  }

  /**
   * Returns the number of cards of each type, in the order of the constants. If {@code compat} is
   * true, they are those of the prototypes.
   */
  public static int[] shares(boolean compat) {
    return Arrays.stream(values())
        .mapToInt(type -> compat ? type.prototypeCards : type.cards)
        .toArray();
  }

  int keyingSeconds() {
    return keyingSeconds;
  }

  int thinkSecondsMean() {
    return thinkSecondsMean;
  }
}
