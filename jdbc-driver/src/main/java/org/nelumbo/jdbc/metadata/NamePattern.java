package org.nelumbo.jdbc.metadata;

import java.util.Arrays;
import java.util.function.Predicate;

/**
 * A name pattern of {@code DatabaseMetaData}: {@code %} matches any text, {@code _} any character,
 * {@code \\} escapes the next character. Matching takes time proportional to the length of the
 * pattern times the length of the name at most, for every pattern.
 */
final class NamePattern implements Predicate<String> {
  static final String ESCAPE = "\\";

  /** Elements of {@link #parts} for any text and any character; other elements are characters. */
  private static final int TEXT = -1;

  private static final int CHARACTER = -2;

  private final int[] parts;

  private NamePattern(int[] parts) {
    this.parts = parts;
  }

  /** Returns a predicate that is true for matching names; a null pattern matches all. */
  static Predicate<String> of(String pattern) {
    return pattern == null || pattern.equals("%") ? name -> true : new NamePattern(parts(pattern));
  }

  private static int[] parts(String pattern) {
    int[] parts = new int[pattern.length()];
    int count = 0;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      parts[count++] =
          switch (c) {
            case '%' -> TEXT;
            case '_' -> CHARACTER;
            case '\\' -> i + 1 < pattern.length() ? pattern.charAt(++i) : c;
            default -> c;
          };
    }
    return Arrays.copyOf(parts, count);
  }

  /**
   * Backtracks only to the last {@code %}: the matches of the earlier ones never need to change.
   */
  @Override
  public boolean test(String name) {
    int at = 0;
    int part = 0;
    int retryAt = -1;
    int retryPart = -1;
    while (at < name.length()) {
      if (part < parts.length && parts[part] == TEXT) {
        retryPart = ++part;
        retryAt = at;
      } else if (part < parts.length
          && (parts[part] == CHARACTER || parts[part] == name.charAt(at))) {
        part++;
        at++;
      } else if (retryAt >= 0) {
        part = retryPart;
        at = ++retryAt;
      } else {
        return false;
      }
    }
    while (part < parts.length && parts[part] == TEXT) {
      part++;
    }
    return part == parts.length;
  }
}
