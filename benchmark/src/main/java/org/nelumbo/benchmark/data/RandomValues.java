package org.nelumbo.benchmark.data;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * A generator of random numbers and strings. The same seed gives the same values. Not thread-safe:
 * each terminal and each loading thread has its own.
 */
public class RandomValues {
  private static final byte[] ALPHANUMERIC =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
          .getBytes(StandardCharsets.ISO_8859_1);
  private static final int LETTERS = 52;
  private static final int LENGTH_MAX = 500;

  private final SplittableRandom random;
  private final byte[] buffer = new byte[LENGTH_MAX];

  /** Creates the generator of a seed. */
  public RandomValues(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /**
   * Returns a uniform number in [low, high]. The high half of a product replaces a division,
   * because some transactions would need dozens of divisions. With a million numbers, the shares
   * differ by less than one in four thousand.
   */
  public final int uniform(int low, int high) {
    return low + below(high - low + 1);
  }

  /** Returns a uniform number in [0, bound). */
  protected final int below(int bound) {
    return (int) (Integer.toUnsignedLong(random.nextInt()) * bound >>> Integer.SIZE);
  }

  /** Returns true with a probability of {@code share} percent. */
  public final boolean percent(int share) {
    return below(100) < share;
  }

  /** Returns a uniform number in (0, 1]. */
  public final double fraction() {
    return 1.0 - random.nextDouble();
  }

  /**
   * Returns a string of letters and digits.
   *
   * @param low minimum length
   * @param high maximum length, at most 500
   */
  public final String text(int low, int high) {
    int length = uniform(low, high);
    fill(length, ALPHANUMERIC.length);
    return asString(length);
  }

  /** Returns a string of letters with exactly this length. */
  public final String letters(int length) {
    fill(length, LETTERS);
    return asString(length);
  }

  /** Returns a string of digits with exactly this length. */
  public final String digits(int length) {
    for (int i = 0; i < length; i++) {
      buffer[i] = (byte) ('0' + below(10));
    }
    return asString(length);
  }

  /**
   * Returns a string of {@code low} to {@code high} letters and digits that contains the word at a
   * random position with a probability of {@code percent} percent.
   */
  protected final String textAround(int low, int high, byte[] word, int percent) {
    int length = uniform(low, high);
    fill(length, ALPHANUMERIC.length);
    if (percent(percent)) {
      System.arraycopy(word, 0, buffer, uniform(0, length - word.length), word.length);
    }
    return asString(length);
  }

  /** Returns the numbers 1 to count in random order. */
  public final int[] permutation(int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      int j = below(i + 1);
      numbers[i] = numbers[j];
      numbers[j] = i + 1;
    }
    return numbers;
  }

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
