package org.nelumbo.tpcc.terminal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.nelumbo.tpcc.data.NuRandConstants;
import org.nelumbo.tpcc.data.TpccRandom;

class DeckTest {
  private final Deck deck = new Deck(new TpccRandom(1, NuRandConstants.of(1)));

  @Test
  void shouldDealTheExactMixWithEveryDeck() {
    for (int round = 0; round < 100; round++) {
      int[] dealt = new int[TransactionType.values().length];
      for (int card = 0; card < 23; card++) {
        dealt[deck.deal()]++;
      }
      assertArrayEquals(new int[] {10, 10, 1, 1, 1}, dealt);
    }
  }

  @Test
  void shouldShuffleEachDeck() {
    int[] first = new int[23];
    int[] second = new int[23];
    Arrays.setAll(first, _ -> deck.deal());
    Arrays.setAll(second, _ -> deck.deal());
    assertFalse(Arrays.equals(first, second));
  }
}
