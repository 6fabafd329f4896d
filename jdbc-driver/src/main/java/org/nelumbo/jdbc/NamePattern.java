package org.nelumbo.jdbc;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Compiler of name patterns in {@code DatabaseMetaData}: {@code %} is any text, {@code _} any
 * character, {@code \} takes the next as it is.
 */
final class NamePattern {
  static final String ESCAPE = "\\";

  private NamePattern() {}

  /** A predicate for names that match; the pattern null matches all. */
  static Predicate<String> of(String pattern) {
    if (pattern == null || pattern.equals("%")) {
      return name -> true;
    }
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '%') {
        regex.append(".*");
      } else if (c == '_') {
        regex.append('.');
      } else {
        boolean escapes = c == '\\' && i + 1 < pattern.length();
        regex.append(Pattern.quote(String.valueOf(escapes ? pattern.charAt(++i) : c)));
      }
    }
    Pattern compiled = Pattern.compile(regex.toString(), Pattern.DOTALL);
    return name -> compiled.matcher(name).matches();
  }
}
