package org.nelumbo.benchmark.terminal;

import java.math.BigInteger;
import java.util.Arrays;
import org.nelumbo.benchmark.data.RandomValues;

/**
 * Deals transaction types from a shuffled deck of cards, so that the mix is exact after every deck.
 */
public final class Deck {
  private final RandomValues random;
  private final byte[] cards;
  private int next;

  /**
   * Creates a deck with these numbers of cards, divided by their greatest common divisor.
   *
   * @param shares shares of types 0, 1, ...; not negative, and not all 0
   */
  public Deck(RandomValues random, int... shares) {
    int sum = Arrays.stream(shares).sum();
    if (sum <= 0 || Arrays.stream(shares).anyMatch(share -> share < 0)) {
      throw new IllegalArgumentException("no deck of " + Arrays.toString(shares));
    }
    int common = Arrays.stream(shares).reduce(0, Deck::commonDivisor);
    this.random = random;
    this.cards = new byte[sum / common];
    int at = 0;
    for (int type = 0; type < shares.length; type++) {
      int end = at + shares[type] / common;
      Arrays.fill(cards, at, end, (byte) type);
      at = end;
    }
    this.next = cards.length;
  }

  private static int commonDivisor(int a, int b) {
    return BigInteger.valueOf(a).gcd(BigInteger.valueOf(b)).intValueExact();
  }

  /** Deals the next type. */
  public int deal() {
    if (next == cards.length) {
      random.shuffle(cards);
      next = 0;
    }
    return cards[next++];
  }

  public int size() {
    return cards.length;
  }
}
