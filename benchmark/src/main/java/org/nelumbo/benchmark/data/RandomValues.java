package org.nelumbo.benchmark.data;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Random numbers and strings. The same seed gives the same values. Not thread-safe: each terminal
 * and each loading thread has its own.
 */
public class RandomValues {
  private static final byte[] ALPHANUMERIC =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
          .getBytes(StandardCharsets.ISO_8859_1);
  private static final int LETTERS = 52;
  private static final int LENGTH_MAX = 500;

  private final SplittableRandom random;
  private final byte[] buffer = new byte[LENGTH_MAX];

  /** Values of a seed. */
  public RandomValues(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /**
   * Uniform in [low, high]. The high half of a product takes the place of a division, of which some
   * transactions would need dozens; with a million numbers shares differ by less than one in four
   * thousand.
   */
  public final int uniform(int low, int high) {
    return low + below(high - low + 1);
  }

  /** Uniform in [0, bound). */
  protected final int below(int bound) {
    return (int) (Integer.toUnsignedLong(random.nextInt()) * bound >>> Integer.SIZE);
  }

  /** True so many times in a hundred. */
  public final boolean percent(int share) {
    return below(100) < share;
  }

  /** Uniform in (0, 1]. */
  public final double fraction() {
    return 1.0 - random.nextDouble();
  }

  /** Letters and digits, low to high of them; at most 500. */
  public final String text(int low, int high) {
    int length = uniform(low, high);
    fill(length, ALPHANUMERIC.length);
    return asString(length);
  }

  /** Letters only, exactly so many. */
  public final String letters(int length) {
    fill(length, LETTERS);
    return asString(length);
  }

  /** Digits only, exactly so many. */
  public final String digits(int length) {
    for (int i = 0; i < length; i++) {
      buffer[i] = (byte) ('0' + below(10));
    }
    return asString(length);
  }

  /** Letters and digits, low to high of them, with a word somewhere among them so often. */
  protected final String textAround(int low, int high, byte[] word, int percent) {
    int length = uniform(low, high);
    fill(length, ALPHANUMERIC.length);
    if (percent(percent)) {
      System.arraycopy(word, 0, buffer, uniform(0, length - word.length), word.length);
    }
    return asString(length);
  }

  /** The numbers 1 to count in random order. */
  public final int[] permutation(int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      int j = below(i + 1);
      numbers[i] = numbers[j];
      numbers[j] = i + 1;
    }
    return numbers;
  }

  /** Puts the array into random order. */
  public final void shuffle(byte[] cards) {
    for (int i = cards.length - 1; i > 0; i--) {
      int j = below(i + 1);
      byte card = cards[i];
      cards[i] = cards[j];
      cards[j] = card;
    }
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
