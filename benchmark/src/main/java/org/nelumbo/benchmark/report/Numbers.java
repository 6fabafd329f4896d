package org.nelumbo.benchmark.report;

import java.util.Locale;

/** Numbers as text, the same in every locale. */
final class Numbers {
  private Numbers() {}

  /** Three significant digits or all digits before the point, whichever is more. */
  static String of(double value) {
    double size = Math.abs(value);
    int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** With thousands separated, for tables. */
  static String grouped(double value) {
    return Math.abs(value) >= 1000 ? String.format(Locale.ROOT, "%,.0f", value) : of(value);
  }

  /** With one digit after the point. */
  static String tenths(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }

  /** Rounded to a whole number. */
  static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  static String grouped(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
