package org.nelumbo.parser;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.nelumbo.parser.impl.NelumboParserConstants;
import org.nelumbo.parser.impl.ParseException;
import org.nelumbo.parser.impl.Token;

/**
 * The tokens that the parser expected in place of an unexpected one, and their description in few
 * words.
 *
 * <p>The parser reports sequences of up to two tokens with which it could have continued. The
 * sequences that match the text longest determine which token is wrong and which tokens were
 * expected in its place. Hundreds of tokens begin or continue an expression; they are summarized in
 * one phrase.
 */
final class ExpectedTokens {
  private static final int SHOWN_MAX = 8;

  /** Tokens that are most often omitted or misspelled, most likely first. */
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

  /** Returns the unexpected token. */
  Token wrongToken() {
    Token token = error.currentToken.next;
    for (int i = 0; i < depth; i++) {
      token = token.next;
    }
    return token;
  }

  /** Returns the token before the unexpected one; its image is null if there is none. */
  Token tokenBefore() {
    Token token = error.currentToken;
    for (int i = 0; i < depth; i++) {
      token = token.next;
    }
    return token;
  }

  /** Returns true if a name was expected. */
  boolean wantsName() {
    return kinds.contains(NelumboParserConstants.IDENTIFIER);
  }

  /**
   * Returns the expected word that is most similar to the given one, or null if none is similar.
   */
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

  /** Returns a description of the expected tokens; empty if nothing is known. */
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

  /** Returns the number of following tokens that match the sequence, except its last one. */
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
