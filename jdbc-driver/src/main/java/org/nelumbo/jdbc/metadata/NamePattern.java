package org.nelumbo.jdbc.metadata;

import java.util.Arrays;
import java.util.function.Predicate;

/**
 * A name pattern of {@code DatabaseMetaData}: {@code %} is any text, {@code _} any character,
 * {@code \\} takes the next as it is. A match takes time of the order of pattern times name,
 * whatever the pattern.
 */
final class NamePattern implements Predicate<String> {
  static final String ESCAPE = "\\";

  /** Any text, and any character, in {@link #parts}; else a part is a character. */
  private static final int TEXT = -1;

  private static final int CHARACTER = -2;

  private final int[] parts;

  private NamePattern(int[] parts) {
    this.parts = parts;
  }

  /** A predicate for names that match; the pattern null matches all. */
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

  /** Only the last {@code %} is tried again: what those before it have matched may stay so. */
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
