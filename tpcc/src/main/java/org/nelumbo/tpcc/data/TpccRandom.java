package org.nelumbo.tpcc.data;

import java.nio.charset.StandardCharsets;
import org.nelumbo.benchmark.data.RandomValues;

/**
 * Random values of the kinds TPC-C speaks of: uniform and non-uniform numbers, strings. The same
 * seed gives the same values. Not thread-safe: each terminal and each loading thread has its own.
 */
public final class TpccRandom extends RandomValues {
  private static final byte[] ORIGINAL = "ORIGINAL".getBytes(StandardCharsets.ISO_8859_1);

  private final NuRandConstants constants;

  /**
   * Values of a seed.
   *
   * @param constants of the non-uniform distribution, shared by all
   */
  public TpccRandom(long seed, NuRandConstants constants) {
    super(seed);
    this.constants = constants;
  }

  /** Non-uniform customer number in [1, customers]: NURand(1023, 1, customers). */
  public int customer(int customers) {
    return nuRand(NuRandConstants.CUSTOMER_A, constants.customer(), 1, customers);
  }

  /** Non-uniform item number in [1, items]: NURand(8191, 1, items). */
  public int item(int items) {
    return nuRand(NuRandConstants.ITEM_A, constants.item(), 1, items);
  }

  /** Non-uniform number of a last name, as transactions draw it: NURand(255, 0, max). */
  public int lastNameForRun(int max) {
    return nuRand(NuRandConstants.LAST_NAME_A, constants.lastNameRun(), 0, max);
  }

  /** Non-uniform number of a last name, as the loader draws it. */
  public int lastNameForLoad(int max) {
    return nuRand(NuRandConstants.LAST_NAME_A, constants.lastNameLoad(), 0, max);
  }

  /** A zip code: four random digits and 11111, clause 4.3.2.7. */
  public String zip() {
    return digits(4) + "11111";
  }

  /** 26 to 50 letters and digits; one in ten has ORIGINAL somewhere, clause 4.3.3.1. */
  public String dataWithOriginal() {
    return textAround(26, 50, ORIGINAL, 10);
  }

  private int nuRand(int a, int c, int low, int high) {
    int mixed = uniform(0, a) | uniform(low, high);
    return (mixed + c) % (high - low + 1) + low;
  }
}
