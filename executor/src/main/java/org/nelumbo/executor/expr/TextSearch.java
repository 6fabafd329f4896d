package org.nelumbo.executor.expr;

import org.nelumbo.executor.limit.StatementLimits;

/**
 * A search for a text in other texts, in time linear in the length of both. Short searches use the
 * JVM, which is fast but may compare each character with each other; longer ones use the algorithm
 * of Knuth, Morris and Pratt. Immutable except for its table, which is computed on first use; all
 * threads compute the same table.
 */
final class TextSearch {
  /** Maximum number of comparisons of the simple search in the worst case. */
  private static final long SIMPLE = 1 << 16;

  private static final int POLL_MASK = (1 << 14) - 1;

  private final String wanted;

  /** For each index, the length of the longest proper prefix that ends there; null until needed. */
  private int[] borders;

  TextSearch(String wanted) {
    this.wanted = wanted;
  }

  /**
   * Returns the start of the first occurrence in {@code text} between two indexes, or -1 if there
   * is none.
   */
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
