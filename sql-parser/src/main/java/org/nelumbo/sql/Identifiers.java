package org.nelumbo.sql;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.nelumbo.sql.parser.impl.NelumboParserConstants;

/** Which words are names as they stand. */
public final class Identifiers {
  private static final Pattern PLAIN = Pattern.compile("[A-Z_][A-Z0-9_$]*");

  private Identifiers() {}

  /** Whether a name can be written without quotes and stays the same. */
  public static boolean isPlain(String name) {
    return PLAIN.matcher(name).matches() && !isReserved(name);
  }

  /** Whether a word, in any case, cannot be a name without quotes. */
  public static boolean isReserved(String word) {
    return Words.RESERVED.contains(word.toUpperCase(Locale.ROOT));
  }

  /** All words that cannot be names without quotes, in alphabetical order. */
  public static Set<String> reserved() {
    return new TreeSet<>(Words.RESERVED);
  }

  /** Asked of the parser itself, once, when first needed. */
  private static final class Words {
    static final Set<String> RESERVED = new HashSet<>();

    static {
      for (String image : NelumboParserConstants.tokenImage) {
        String word = image.replace("\"", "");
        if (image.startsWith("\"") && PLAIN.matcher(word).matches() && !SqlParsing.isName(word)) {
          RESERVED.add(word);
        }
      }
    }
  }
}
