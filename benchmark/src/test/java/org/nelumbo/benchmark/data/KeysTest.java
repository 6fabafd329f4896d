package org.nelumbo.benchmark.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
  private static final int DRAWS = 1_000_000;

  /**
   * Compares draws with the law by Pearson's statistic, whose mean is classes - 1 if both agree.
   */
  @ParameterizedTest
  @CsvSource({"10, 0.99", "1000, 0.99", "1000, 0.5", "1000, 1.5"})
  void shouldFollowZipfsLaw(int count, double exponent) {
    Zipf zipf = new Zipf(count, exponent);
    RandomValues random = new RandomValues(3);
    long[] drawn = new long[count];
    for (int i = 0; i < DRAWS; i++) {
      drawn[zipf.draw(random)]++;
    }
    double sum = 0;
    for (int rank = 1; rank <= count; rank++) {
      sum += Math.pow(rank, -exponent);
    }
    double statistic = 0;
    for (int rank = 1; rank <= count; rank++) {
      double expected = DRAWS * Math.pow(rank, -exponent) / sum;
      statistic += (drawn[rank - 1] - expected) * (drawn[rank - 1] - expected) / expected;
    }
    double sigma = Math.sqrt(2.0 * (count - 1));
    assertEquals(count - 1, statistic, 5 * sigma);
  }

  @Test
  void shouldReachAllOfALargeRange() {
    Zipf zipf = new Zipf(Integer.MAX_VALUE, 0.99);
    RandomValues random = new RandomValues(3);
    int most = 0;
    for (int i = 0; i < 100_000; i++) {
      int rank = zipf.draw(random);
      assertTrue(rank >= 0 && rank < Integer.MAX_VALUE);
      most = Math.max(most, rank);
    }
    assertTrue(most > 2_000_000_000, "most=" + most);
  }

  @Test
  void shouldDrawTheOnlyRank() {
    assertEquals(0, new Zipf(1, 0.99).draw(new RandomValues(3)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 1000, 65_536, 100_003})
  void shouldScatterOneToOne(int count) {
    ScatteredRanks ranks = new ScatteredRanks(count);
    BitSet seen = new BitSet(count);
    for (int rank = 0; rank < count; rank++) {
      seen.set(ranks.of(rank));
    }
    assertEquals(count, seen.cardinality());
    assertEquals(count, seen.length());
  }

  @Test
  void shouldNotPutFrequentKeysSideBySide() {
    ScatteredRanks ranks = new ScatteredRanks(1_000_000);
    for (int rank = 0; rank < 10; rank++) {
      for (int other = 0; other < rank; other++) {
        assertTrue(Math.abs(ranks.of(rank) - ranks.of(other)) > 1_000);
      }
    }
  }

  @Test
  void shouldDrawUniformly() {
    Keys keys = Keys.uniform(10);
    RandomValues random = new RandomValues(3);
    int[] drawn = new int[10];
    for (int i = 0; i < DRAWS; i++) {
      drawn[keys.draw(random)]++;
    }
    for (int count : drawn) {
      assertEquals(DRAWS / 10, count, 1_500);
    }
  }

  @Test
  void shouldRejectInvalidZipfParameters() {
    assertThrows(IllegalArgumentException.class, () -> new Zipf(0, 0.99));
    assertThrows(IllegalArgumentException.class, () -> new Zipf(10, 0));
    assertThrows(IllegalArgumentException.class, () -> new Zipf(10, 1));
  }
}
