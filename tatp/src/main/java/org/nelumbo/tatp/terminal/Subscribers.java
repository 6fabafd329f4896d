package org.nelumbo.tatp.terminal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.nelumbo.benchmark.data.RandomValues;

/**
 * The subscribers, numbered from 1, and their distribution: {@code (rand(0, A) | rand(1, N)) % N +
 * 1}, or uniform.
 */
public final class Subscribers {
  private static final int NUMBER_LENGTH = 15;
  private static final int A_SMALL = 65_535;
  private static final int A_MEDIUM = 1_048_575;
  private static final int A_LARGE = 2_097_151;

  private final int count;
  private final boolean uniform;
  private final int a;

  /** Creates the distribution over this number of subscribers. */
  public Subscribers(int count, boolean uniform) {
    this.count = count;
    this.uniform = uniform;
    this.a = count <= 1_000_000 ? A_SMALL : count <= 10_000_000 ? A_MEDIUM : A_LARGE;
  }

  /** Returns the A of the formula. */
  int a() {
    return a;
  }

  public int draw(RandomValues random) {
    int number = random.uniform(1, count);
    return uniform ? number : (random.uniform(0, a) | number) % count + 1;
  }

  /** Returns the telephone number of a subscriber: its number in 15 digits with leading zeros. */
  public static String telephoneNumber(int subscriber) {
    byte[] digits = new byte[NUMBER_LENGTH];
    Arrays.fill(digits, (byte) '0');
    int at = NUMBER_LENGTH;
    for (int rest = subscriber; rest > 0; rest /= 10) {
      digits[--at] = (byte) ('0' + rest % 10);
    }
    return new String(digits, StandardCharsets.ISO_8859_1);
  }
}
