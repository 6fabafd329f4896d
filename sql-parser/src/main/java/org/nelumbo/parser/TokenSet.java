package org.nelumbo.parser;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.parser.dialect.Identifiers;
import org.nelumbo.parser.impl.NelumboParserConstants;
import org.nelumbo.parser.impl.ParseException;
import org.nelumbo.parser.impl.ParserFactory;

/** A set of token kinds with a short description. */
final class TokenSet implements NelumboParserConstants {
  private static final int[] NAMES = {
    IDENTIFIER,
    QUOTED_IDENTIFIER,
    BACK_QUOTED_IDENTIFIER,
    BRACKET_QUOTED_IDENTIFIER,
    BIG_QUERY_BACK_QUOTED_IDENTIFIER,
    HYPHENATED_IDENTIFIER,
    UNICODE_QUOTED_IDENTIFIER
  };
  private static final int[] NUMBERS = {
    UNSIGNED_INTEGER_LITERAL, DECIMAL_NUMERIC_LITERAL, APPROX_NUMERIC_LITERAL, DECIMAL
  };
  private static final int[] STRINGS = {
    QUOTED_STRING,
    PREFIXED_STRING_LITERAL,
    UNICODE_STRING_LITERAL,
    C_STYLE_ESCAPED_STRING_LITERAL,
    BIG_QUERY_QUOTED_STRING,
    BIG_QUERY_DOUBLE_QUOTED_STRING,
    BINARY_STRING_LITERAL
  };

  /** Tokens that the grammar accepts but messages do not suggest. */
  private static final int[] UNTOLD = {STREAM, MEASURE, RUNNING, VALUE, HINT_BEG};

  private final BitSet kinds = new BitSet();

  void add(int kind) {
    kinds.set(kind);
  }

  boolean contains(int kind) {
    return kinds.get(kind);
  }

  /** Returns the keywords in the set, except those that are only accepted as names. */
  List<String> words() {
    BitSet left = (BitSet) kinds.clone();
    if (left.get(IDENTIFIER)) {
      removeNamesWithoutQuotes(left);
    }
    List<String> words = new ArrayList<>();
    left.stream().filter(TokenSet::isWord).forEach(kind -> words.add(image(kind)));
    return words;
  }

  /** Returns a description of the set, in no particular order. */
  Set<String> summary() {
    BitSet left = (BitSet) kinds.clone();
    Set<String> labels = new TreeSet<>();
    if (left.get(IDENTIFIER) && left.get(UNSIGNED_INTEGER_LITERAL) && left.get(CASE)) {
      labels.add("an expression");
      left.andNot(Known.BEGINS_EXPRESSION);
      left.set(VALUES, left.get(VALUES) && left.get(SELECT)); // else it is the function of a column
      left.set(INSERT, left.get(INSERT) && left.get(UPDATE)); // else it is the function
    }
    if (left.get(PLUS) && left.get(AND) && left.get(EQ)) {
      labels.add("an operator");
      left.andNot(Known.CONTINUES_EXPRESSION);
    }
    if (left.get(IDENTIFIER)) {
      removeNamesWithoutQuotes(left);
    }
    replace(left, NAMES, "a name", labels);
    replace(left, NUMBERS, "a number", labels);
    replace(left, STRINGS, "a string", labels);
    if (left.get(EOF)) {
      labels.add("end of the statement");
      left.clear(EOF);
      left.clear(SEMICOLON);
    }
    for (int kind : UNTOLD) {
      left.clear(kind);
    }
    left.stream().forEach(kind -> labels.add(isWord(kind) ? image(kind) : "'" + image(kind) + "'"));
    return labels;
  }

  private static void replace(BitSet left, int[] group, String label, Set<String> labels) {
    if (!left.get(group[0])) {
      return;
    }
    labels.add(label);
    for (int kind : group) {
      left.clear(kind);
    }
  }

  private static void removeNamesWithoutQuotes(BitSet left) {
    left.stream()
        .filter(kind -> isWord(kind) && !Identifiers.isReserved(image(kind)))
        .forEach(left::clear);
  }

  private static boolean isWord(int kind) {
    return Character.isLetter(image(kind).charAt(0));
  }

  private static String image(int kind) {
    return tokenImage[kind].replace("\"", "").replace("\\u0000", "");
  }

  /**
   * Tokens that begin and continue expressions, determined once from the parser when they are first
   * needed.
   */
  private static final class Known {
    static final BitSet BEGINS_EXPRESSION = expectedIn("");
    static final BitSet CONTINUES_EXPRESSION = expectedIn("a \u0007");

    static {
      BEGINS_EXPRESSION.clear(VALUES); // VALUES(a) in MySQL's ON DUPLICATE KEY UPDATE does
      BEGINS_EXPRESSION.clear(INSERT); // INSERT(text, position, length, text) does
      CONTINUES_EXPRESSION.clear(EOF);
    }

    private static ParseException refusal(String text) {
      try {
        SqlNode _ = ParserFactory.open(text, () -> {}).SqlExpressionEof();
      } catch (ParseException e) {
        return e;
      }
      throw new IllegalArgumentException("an expression, text=" + text);
    }

    private static BitSet expectedIn(String expression) {
      BitSet expected = new BitSet();
      for (int[] sequence : refusal(expression).expectedTokenSequences) {
        expected.set(sequence[0]);
      }
      return expected;
    }
  }
}
