package org.nelumbo.tpcc.data;

import java.nio.charset.StandardCharsets;
import org.nelumbo.benchmark.data.RandomValues;

/**
 * A generator of the random values that TPC-C defines: uniform and non-uniform numbers, and
 * strings. The same seed gives the same values. Not thread-safe: each terminal and each loading
 * thread has its own.
 */
public final class TpccRandom extends RandomValues {
  private static final byte[] ORIGINAL = "ORIGINAL".getBytes(StandardCharsets.ISO_8859_1);

  private final NuRandConstants constants;

  /**
   * Creates the generator of a seed.
   *
   * @param constants constants of the non-uniform distribution, shared by all generators
   */
  public TpccRandom(long seed, NuRandConstants constants) {
    super(seed);
    this.constants = constants;
  }

  /** Returns a non-uniform customer number in [1, customers]: NURand(1023, 1, customers). */
  public int customer(int customers) {
    return nuRand(NuRandConstants.CUSTOMER_A, constants.customer(), 1, customers);
  }

  /** Returns a non-uniform item number in [1, items]: NURand(8191, 1, items). */
  public int item(int items) {
    return nuRand(NuRandConstants.ITEM_A, constants.item(), 1, items);
  }

  /** Returns a non-uniform number of a last name for a transaction: NURand(255, 0, max). */
  public int lastNameForRun(int max) {
    return nuRand(NuRandConstants.LAST_NAME_A, constants.lastNameRun(), 0, max);
  }

  /** Returns a non-uniform number of a last name for the load. */
  public int lastNameForLoad(int max) {
    return nuRand(NuRandConstants.LAST_NAME_A, constants.lastNameLoad(), 0, max);
  }

  /** Returns a zip code: four random digits and 11111, clause 4.3.2.7. */
  public String zip() {
    return digits(4) + "11111";
  }

  /**
   * Returns 26 to 50 letters and digits, which contain ORIGINAL in one of ten cases, clause
   * 4.3.3.1.
   */
  public String dataWithOriginal() {
    return textAround(26, 50, ORIGINAL, 10);
  }

  private int nuRand(int a, int c, int low, int high) {
    int mixed = uniform(0, a) | uniform(low, high);
    return (mixed + c) % (high - low + 1) + low;
  }
}
