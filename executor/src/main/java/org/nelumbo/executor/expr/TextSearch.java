package org.nelumbo.executor.expr;

import org.nelumbo.executor.limit.StatementLimits;

/**
 * Search for one text in others, in time linear in the length of both. Short searches are left to
 * the JVM, which is fast at them but may compare each character with each; longer ones go by the
 * algorithm of Knuth, Morris and Pratt. Immutable but for the table it makes when it needs it,
 * which all threads make alike.
 */
final class TextSearch {
  /** Comparisons that the simple search may take at the worst. */
  private static final long SIMPLE = 1 << 16;

  private static final int POLL_MASK = (1 << 14) - 1;

  private final String wanted;

  /** For each place, the length of the longest proper prefix that ends there; null until needed. */
  private int[] borders;

  TextSearch(String wanted) {
    this.wanted = wanted;
  }

  /** Where the text begins in another, from a place on and ending before another; -1 if nowhere. */
  int find(String text, int from, int to, StatementLimits limits) {
    int most = to - from;
    if (wanted.length() > most) {
      return -1;
    }
    if (wanted.length() <= 1 || (long) wanted.length() * most <= SIMPLE) {
      int found = text.indexOf(wanted, from, to);
      limits.workOnText((found < 0 ? to : found) - from);
      return found;
    }
    return findByBorders(text, from, to, limits);
  }

  private int findByBorders(String text, int from, int to, StatementLimits limits) {
    int[] table = borders();
    int matched = 0;
    for (int i = from; i < to; i++) {
      if ((i & POLL_MASK) == 0) {
        limits.workOnText(POLL_MASK);
      }
      char c = text.charAt(i);
      while (matched > 0 && wanted.charAt(matched) != c) {
        matched = table[matched - 1];
      }
      if (wanted.charAt(matched) == c && ++matched == wanted.length()) {
        return i + 1 - matched;
      }
    }
    return -1;
  }

  private int[] borders() {
    int[] table = borders;
    if (table == null) {
      table = new int[wanted.length()];
      int matched = 0;
      for (int i = 1; i < table.length; i++) {
        while (matched > 0 && wanted.charAt(matched) != wanted.charAt(i)) {
          matched = table[matched - 1];
        }
        if (wanted.charAt(matched) == wanted.charAt(i)) {
          matched++;
        }
        table[i] = matched;
      }
      borders = table;
    }
    return table;
  }
}
