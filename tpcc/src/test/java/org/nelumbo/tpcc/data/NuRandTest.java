package org.nelumbo.tpcc.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NuRandTest {
  @Property(seed = "1")
  void shouldDeriveValidConstantsFromSeed(@ForAll long seed) {
    NuRandConstants constants = NuRandConstants.of(seed);
    int delta = Math.abs(constants.lastNameLoad() - constants.lastNameRun());
    assertTrue(delta >= 65 && delta <= 119 && delta != 96 && delta != 112);
    assertTrue(constants.customer() >= 0 && constants.customer() <= 1023);
    assertTrue(constants.item() >= 0 && constants.item() <= 8191);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 64, 96, 112, 120})
  void shouldRefuseConstantsTooNearTooFarOrForbidden(int delta) {
    assertThrows(IllegalArgumentException.class, () -> new NuRandConstants(0, delta, 0, 0));
  }

  @Test
  void shouldFollowTheDistributionOfTheSpecification() {
    NuRandConstants constants = new NuRandConstants(200, 120, 0, 0);
    double[] run = exactLastNames(120);
    double[] load = exactLastNames(200);
    TpccRandom random = new TpccRandom(1, constants);
    int draws = 2_000_000;
    int[] seenRun = new int[1_000];
    int[] seenLoad = new int[1_000];
    for (int i = 0; i < draws; i++) {
      seenRun[random.lastNameForRun(999)]++;
      seenLoad[random.lastNameForLoad(999)]++;
    }
    assertTrue(distance(seenRun, run, draws) < 0.02, "distance of run");
    assertTrue(distance(seenLoad, load, draws) < 0.02, "distance of load");
    assertTrue(distance(seenRun, load, draws) > 0.1, "load and run must differ");
  }

  @Test
  void shouldStayInRange() {
    TpccRandom random = new TpccRandom(2, NuRandConstants.of(2));
    int least = Integer.MAX_VALUE;
    int most = 0;
    for (int i = 0; i < 200_000; i++) {
      int customer = random.customer(3_000);
      least = Math.min(least, customer);
      most = Math.max(most, customer);
      int item = random.item(100_000);
      assertTrue(item >= 1 && item <= 100_000);
    }
    assertEquals(1, least);
    assertEquals(3_000, most);
  }

  /** Computes the distribution of NURand(255, 0, 999) by counting all 256 x 1000 cases. */
  private static double[] exactLastNames(int c) {
    double[] share = new double[1_000];
    for (int a = 0; a <= 255; a++) {
      for (int b = 0; b <= 999; b++) {
        share[((a | b) + c) % 1_000] += 1 / 256_000.0;
      }
    }
    return share;
  }

  /** Returns the total variation distance. */
  private static double distance(int[] seen, double[] expected, int draws) {
    double sum = 0;
    for (int i = 0; i < seen.length; i++) {
      sum += Math.abs(seen[i] / (double) draws - expected[i]);
    }
    return sum / 2;
  }
}
