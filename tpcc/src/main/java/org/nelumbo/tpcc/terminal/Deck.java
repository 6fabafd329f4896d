package org.nelumbo.tpcc.terminal;

import org.nelumbo.tpcc.data.TpccRandom;

/**
 * Deals transaction types from a shuffled deck of 23 cards, so that the mix is exact after every
 * deck (clause 5.2.4.2).
 */
final class Deck {
  private final TpccRandom random;
  private final byte[] cards;
  private int next;

  Deck(TpccRandom random) {
    this.random = random;
    int size = 0;
    for (TransactionType type : TransactionType.values()) {
      size += type.cards();
    }
    this.cards = new byte[size];
    int at = 0;
    for (TransactionType type : TransactionType.values()) {
      for (int i = 0; i < type.cards(); i++) {
        cards[at++] = (byte) type.ordinal();
      }
    }
    this.next = size;
  }

  /** The ordinal of the next type. */
  int deal() {
    if (next == cards.length) {
      random.shuffle(cards);
      next = 0;
    }
    return cards[next++];
  }
}
