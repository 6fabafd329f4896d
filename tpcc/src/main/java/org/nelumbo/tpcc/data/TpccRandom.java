package org.nelumbo.tpcc.data;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Random values of the kinds TPC-C speaks of: uniform and non-uniform numbers, strings. The same
 * seed gives the same values. Not thread-safe: each terminal and each loading thread has its own.
 */
public final class TpccRandom {
  private static final byte[] ALPHANUMERIC =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
          .getBytes(StandardCharsets.ISO_8859_1);

  private static final int LETTERS = 52;
  private static final byte[] ORIGINAL = "ORIGINAL".getBytes(StandardCharsets.ISO_8859_1);
  private static final int LENGTH_MAX = 500;

  private final SplittableRandom random;
  private final NuRandConstants constants;
  private final byte[] buffer = new byte[LENGTH_MAX];

  /**
   * Values of a seed.
   *
   * @param constants of the non-uniform distribution, shared by all
   */
  public TpccRandom(long seed, NuRandConstants constants) {
    this.random = new SplittableRandom(seed);
    this.constants = constants;
  }

  /**
   * Uniform in [low, high]. The high half of a product takes the place of a division, of which a
   * new order would need dozens; shares differ by less than one in forty thousand.
   */
  public int uniform(int low, int high) {
    return low + below(high - low + 1);
  }

  private int below(int bound) {
    return (int) (Integer.toUnsignedLong(random.nextInt()) * bound >>> Integer.SIZE);
  }

  /** True so many times in a hundred. */
  public boolean percent(int share) {
    return below(100) < share;
  }

  /** Uniform in (0, 1]. */
  public double fraction() {
    return 1.0 - random.nextDouble();
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

  /** Letters and digits, low to high of them. */
  public String text(int low, int high) {
    int length = uniform(low, high);
    fill(length, ALPHANUMERIC.length);
    return asString(length);
  }

  /** Letters only, exactly so many. */
  public String letters(int length) {
    fill(length, LETTERS);
    return asString(length);
  }

  /** Digits only, exactly so many. */
  public String digits(int length) {
    for (int i = 0; i < length; i++) {
      buffer[i] = (byte) ('0' + below(10));
    }
    return asString(length);
  }

  /** A zip code: four random digits and 11111, clause 4.3.2.7. */
  public String zip() {
    return digits(4) + "11111";
  }

  /** 26 to 50 letters and digits; one in ten has ORIGINAL somewhere, clause 4.3.3.1. */
  public String dataWithOriginal() {
    int length = uniform(26, 50);
    fill(length, ALPHANUMERIC.length);
    if (percent(10)) {
      int at = uniform(0, length - ORIGINAL.length);
      System.arraycopy(ORIGINAL, 0, buffer, at, ORIGINAL.length);
    }
    return asString(length);
  }

  /** The numbers 1 to count in random order. */
  public int[] permutation(int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      int j = below(i + 1);
      numbers[i] = numbers[j];
      numbers[j] = i + 1;
    }
    return numbers;
  }

  /** Puts the array into random order. */
  public void shuffle(byte[] cards) {
    for (int i = cards.length - 1; i > 0; i--) {
      int j = below(i + 1);
      byte card = cards[i];
      cards[i] = cards[j];
      cards[j] = card;
    }
  }

  private int nuRand(int a, int c, int low, int high) {
    int mixed = uniform(0, a) | uniform(low, high);
    return (mixed + c) % (high - low + 1) + low;
  }

  private void fill(int length, int characters) {
    for (int i = 0; i < length; i++) {
      buffer[i] = ALPHANUMERIC[below(characters)];
    }
  }

  private String asString(int length) {
    return new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
  }
}
