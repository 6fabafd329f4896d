package org.nelumbo.tatp.terminal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.nelumbo.benchmark.data.RandomValues;

class SubscribersTest {
  private static final int DRAWS = 400_000;

  @Test
  void shouldMixAsSpecified() {
    assertArrayEquals(new int[] {35, 10, 35, 2, 14, 2, 2}, TransactionType.shares());
  }

  @Test
  void shouldChooseAByThePopulation() {
    assertEquals(65_535, new Subscribers(1_000_000, false).a());
    assertEquals(1_048_575, new Subscribers(1_000_001, false).a());
    assertEquals(1_048_575, new Subscribers(10_000_000, false).a());
    assertEquals(2_097_151, new Subscribers(10_000_001, false).a());
  }

  /** Computes the distribution of draws by its definition, over all pairs of a small population. */
  @Test
  void shouldDrawByTheDefinition() {
    int count = 10;
    double[] expected = new double[count + 1];
    for (int a = 0; a <= 65_535; a++) {
      for (int number = 1; number <= count; number++) {
        expected[(a | number) % count + 1] += 1.0 / 65_536 / count;
      }
    }
    int[] drawn = draw(new Subscribers(count, false), count);
    double least = 1;
    double most = 0;
    for (int i = 1; i <= count; i++) {
      assertEquals(expected[i], drawn[i] / (double) DRAWS, 0.005, "subscriber " + i);
      least = Math.min(least, expected[i]);
      most = Math.max(most, expected[i]);
    }
    assertTrue(most > 1.1 * least, "skewed");
  }

  @Test
  void shouldDrawUniformlyOnRequest() {
    int[] drawn = draw(new Subscribers(10, true), 10);
    for (int i = 1; i <= 10; i++) {
      assertEquals(0.1, drawn[i] / (double) DRAWS, 0.005);
    }
  }

  private static int[] draw(Subscribers subscribers, int count) {
    RandomValues random = new RandomValues(5);
    int[] drawn = new int[count + 1];
    for (int i = 0; i < DRAWS; i++) {
      drawn[subscribers.draw(random)]++;
    }
    return drawn;
  }

  @Test
  void shouldWriteTelephoneNumbersInFifteenDigits() {
    assertEquals("000000000000001", Subscribers.telephoneNumber(1));
    assertEquals("000002147483647", Subscribers.telephoneNumber(Integer.MAX_VALUE));
  }

  @Test
  void shouldStartCallForwardingAtNightAtEightOrAtFour() {
    Inputs inputs = new Inputs(new RandomValues(7), new Subscribers(100, false));
    int[] starts = new int[17];
    for (int i = 0; i < 3_000; i++) {
      inputs.drawTimes();
      starts[inputs.startTime()]++;
      assertTrue(inputs.endTime() >= 1 && inputs.endTime() <= 24);
    }
    assertEquals(1_000, starts[0], 150);
    assertEquals(1_000, starts[8], 150);
    assertEquals(1_000, starts[16], 150);
  }
}
