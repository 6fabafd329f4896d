package org.nelumbo.tpcc.data;

import java.util.stream.IntStream;

/** Last names: three syllables, one for each digit of a number from 0 to 999, clause 4.3.2.3. */
public final class LastNames {
  private static final String[] SYLLABLES = {
    "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
  };

  private static final String[] NAMES =
      IntStream.range(0, 1_000).mapToObj(LastNames::spell).toArray(String[]::new);

  private LastNames() {}

  /** Returns the name of a number, always the same object. */
  public static String of(int number) {
    return NAMES[number];
  }

  private static String spell(int number) {
    return SYLLABLES[number / 100] + SYLLABLES[number / 10 % 10] + SYLLABLES[number % 10];
  }
}
