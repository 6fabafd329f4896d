package org.nelumbo.sql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.nelumbo.sql.parser.impl.NelumboParserConstants;
import org.nelumbo.sql.parser.impl.ParseException;

/** The tokens that would have fitted, in few words. */
final class ExpectedTokens {
  private static final int SHOWN_MAX = 8;

  private ExpectedTokens() {}

  static Collection<String> describe(ParseException e, int depth) {
    Set<String> all = new TreeSet<>();
    for (int kind : kinds(e, depth)) {
      all.add(e.tokenImage[kind].replace("\"", ""));
    }
    return all;
  }

  static String join(Collection<String> expected) {
    Collection<String> shown = new ArrayList<>(expected).subList(0, Math.min(SHOWN_MAX, expected.size()));
    return String.join(", ", shown) + (shown.size() < expected.size() ? ", …" : "");
  }

  static boolean wantsName(ParseException e, int depth) {
    return kinds(e, depth).contains(NelumboParserConstants.IDENTIFIER);
  }

  static String similar(String image, ParseException e, int depth) {
    return null;
  }

  static Set<Integer> kinds(ParseException e, int depth) {
    Set<Integer> kinds = new TreeSet<>();
    for (int[] sequence : e.expectedTokenSequences) {
      if (sequence.length > depth && UnexpectedToken.matchLength(e, sequence) == depth) {
        kinds.add(sequence[depth]);
      }
    }
    return kinds;
  }
}
