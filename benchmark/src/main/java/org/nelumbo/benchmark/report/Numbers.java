package org.nelumbo.benchmark.report;

import java.util.Locale;

/** Formats numbers as text, independent of the locale. */
final class Numbers {
  private Numbers() {}

  /**
   * Formats with three significant digits, or with all digits before the point if these are more.
   */
  static String of(double value) {
    double size = Math.abs(value);
    int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** Formats with a separator between thousands, for tables. */
  static String grouped(double value) {
    return Math.abs(value) >= 1000 ? String.format(Locale.ROOT, "%,.0f", value) : of(value);
  }

  /** Formats with one decimal. */
  static String tenths(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }

  /** Formats rounded to a whole number. */
  static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  static String grouped(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
