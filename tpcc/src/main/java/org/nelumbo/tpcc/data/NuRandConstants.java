package org.nelumbo.tpcc.data;

import java.util.SplittableRandom;

/**
 * The constants C of the non-uniform distribution, clause 2.1.6. They are drawn once and apply to
 * all terminals. Last names have one constant for the load and another for the run; these must
 * differ by 65 to 119, but not by 96 or 112 (clause 2.1.6.1).
 *
 * @param lastNameLoad constant for last names during the load, 0 to 255
 * @param lastNameRun constant for last names of the transactions, 0 to 255
 * @param customer constant for customer numbers, 0 to 1023
 * @param item constant for item numbers, 0 to 8191
 */
public record NuRandConstants(int lastNameLoad, int lastNameRun, int customer, int item) {
  static final int LAST_NAME_A = 255;
  static final int CUSTOMER_A = 1023;
  static final int ITEM_A = 8191;

  private static final int DELTA_MIN = 65;
  private static final int DELTA_MAX = 119;

  public NuRandConstants {
    if (!allowedDelta(Math.abs(lastNameLoad - lastNameRun))) {
      throw new IllegalArgumentException(
          "lastNameLoad=" + lastNameLoad + " lastNameRun=" + lastNameRun);
    }
  }

  /** Returns the constants that belong to a seed. */
  public static NuRandConstants of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int load = random.nextInt(LAST_NAME_A + 1);
    int run;
    do {
      run = random.nextInt(LAST_NAME_A + 1);
    } while (!allowedDelta(Math.abs(load - run)));
    return new NuRandConstants(
        load, run, random.nextInt(CUSTOMER_A + 1), random.nextInt(ITEM_A + 1));
  }

  private static boolean allowedDelta(int delta) {
    return delta >= DELTA_MIN && delta <= DELTA_MAX && delta != 96 && delta != 112;
  }
}
