package org.nelumbo.benchmark.terminal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.nelumbo.benchmark.data.RandomValues;

class DeckTest {
  @Test
  void shouldDealTheExactMixWithEveryDeck() {
    int[] shares = {15, 25, 0, 60};
    Deck deck = new Deck(new RandomValues(5), shares);
    assertEquals(20, deck.size(), "5 divides all shares");
    for (int round = 0; round < 50; round++) {
      int[] dealt = new int[4];
      for (int card = 0; card < deck.size(); card++) {
        dealt[deck.deal()]++;
      }
      assertArrayEquals(new int[] {3, 5, 0, 12}, dealt);
    }
  }

  @Test
  void shouldShuffle() {
    Deck deck = new Deck(new RandomValues(5), 10, 13);
    int[] first = deal(deck);
    int[] second = deal(deck);
    assertFalse(Arrays.equals(first, second));
  }

  @Test
  void shouldRefuseSharesThatMakeNoDeck() {
    assertThrows(IllegalArgumentException.class, () -> new Deck(new RandomValues(5), 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new Deck(new RandomValues(5), 3, -1));
  }

  private static int[] deal(Deck deck) {
    int[] cards = new int[deck.size()];
    Arrays.setAll(cards, _ -> deck.deal());
    return cards;
  }
}
