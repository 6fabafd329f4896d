package org.nelumbo.parser;

/** Computes the edit distance between two words. */
final class Spelling {
  private Spelling() {}

  /**
   * Returns the number of insertions, deletions, replacements and swaps of adjacent letters that
   * turn one word into the other.
   */
  static int distance(String from, String to) {
    int[] beforePrevious = new int[to.length() + 1];
    int[] previous = new int[to.length() + 1];
    int[] current = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      current[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] free = beforePrevious;
      beforePrevious = previous;
      previous = current;
      current = free;
      current[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int best = Math.min(previous[j], current[j - 1]) + 1;
        best = Math.min(best, previous[j - 1] + (same ? 0 : 1));
        if (i > 1 && j > 1 && isSwap(from, to, i, j)) {
          best = Math.min(best, beforePrevious[j - 2] + 1);
        }
        current[j] = best;
      }
    }
    return current[to.length()];
  }

  private static boolean isSwap(String from, String to, int i, int j) {
    return from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
  }
}
