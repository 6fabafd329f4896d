package org.nelumbo.parser;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.nelumbo.parser.impl.NelumboParserConstants;
import org.nelumbo.parser.impl.ParseException;
import org.nelumbo.parser.impl.Token;

/**
 * The tokens that would have fitted where another one stood, and how to say them in few words.
 *
 * <p>The parser knows sequences of up to two tokens that it could have gone on with. Those that
 * agree longest with the text tell which token is the wrong one, and what should stand there. Of
 * these, the hundreds that begin or continue an expression are said as one.
 */
final class ExpectedTokens {
  private static final int SHOWN_MAX = 8;

  /** Words that most often are the ones left out or misspelt, most likely first. */
  private static final List<String> LIKELY =
      List.of(
          ("an expression;a name;a number;a string;')';"
                  + "SELECT;INSERT;UPDATE;DELETE;CREATE;DROP;ALTER;FROM;WHERE;SET;VALUES;INTO;"
                  + "TABLE;BY;AS;ON;JOIN;GROUP;ORDER;LIMIT;',';'('")
              .split(";"));

  private static final Comparator<String> LIKELY_FIRST =
      Comparator.comparingInt(ExpectedTokens::rank).thenComparing(Comparator.naturalOrder());

  private final ParseException error;
  private final int depth;
  private final TokenSet kinds;

  ExpectedTokens(ParseException error) {
    this.error = error;
    int deepest = 0;
    for (int[] sequence : error.expectedTokenSequences) {
      deepest = Math.max(deepest, matchLength(sequence));
    }
    this.depth = deepest;
    this.kinds = new TokenSet();
    for (int[] sequence : error.expectedTokenSequences) {
      if (sequence.length > depth
          && matchLength(sequence) == depth
          && sequence[depth] != NelumboParserConstants.LOCK_ROWS) {
        kinds.add(sequence[depth]);
      }
    }
  }

  /** The token that did not fit. */
  Token wrongToken() {
    Token token = error.currentToken.next;
    for (int i = 0; i < depth; i++) {
      token = token.next;
    }
    return token;
  }

  /** The token before the wrong one; without image if there is none. */
  Token tokenBefore() {
    Token token = error.currentToken;
    for (int i = 0; i < depth; i++) {
      token = token.next;
    }
    return token;
  }

  /** Whether a name would have fitted. */
  boolean wantsName() {
    return kinds.contains(NelumboParserConstants.IDENTIFIER);
  }

  /** The expected word that looks like this one; null if none does. */
  String similarTo(String word) {
    String best = null;
    int bestDistance = word.length() > 4 ? 3 : 2;
    List<String> words = kinds.words();
    words.sort(LIKELY_FIRST);
    for (String expected : words) {
      int distance = Spelling.distance(word.toUpperCase(Locale.ROOT), expected);
      if (distance > 0 && distance < bestDistance) {
        best = expected;
        bestDistance = distance;
      }
    }
    return best;
  }

  /** The expected tokens as a list in words; empty if nothing is known. */
  String inWords() {
    List<String> shown = new ArrayList<>(kinds.summary());
    shown.sort(LIKELY_FIRST);
    if (shown.size() > SHOWN_MAX) {
      return String.join(", ", shown.subList(0, SHOWN_MAX)) + ", …";
    }
    if (shown.size() < 2) {
      return String.join("", shown);
    }
    String last = shown.removeLast();
    return String.join(", ", shown) + " or " + last;
  }

  private static int rank(String label) {
    int rank = LIKELY.indexOf(label);
    if (rank >= 0) {
      return rank;
    }
    boolean word = Character.isLetter(label.charAt(0)) && Character.isUpperCase(label.charAt(0));
    return LIKELY.size() + (word ? 0 : 1);
  }

  /** How many tokens ahead are as in the sequence, short of its last one. */
  private int matchLength(int[] sequence) {
    Token token = error.currentToken.next;
    int length = 0;
    while (length < sequence.length - 1 && token.next != null && token.kind == sequence[length]) {
      length++;
      token = token.next;
    }
    return length;
  }
}
