package org.nelumbo.parser.plain;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.parser.impl.NelumboParserConstants;

/** Classifies unquoted words. A word that has any meaning in the grammar is not a name here. */
final class PlainWords {
  /** Words of the grammar that are names at every position in a supported query. */
  private static final List<String> NAMES =
      List.of("A", "C", "G", "K", "M", "NAME", "TYPE", "KEY", "LEVEL", "STATE", "TITLE", "LENGTH");

  private static final List<String> FUNCTIONS =
      List.of("ABS", "AVG", "COALESCE", "COUNT", "LOWER", "MAX", "MIN", "NULLIF", "SUM", "UPPER");

  private static final Map<String, SqlTypeName> TYPES =
      Map.of(
          "BOOLEAN", SqlTypeName.BOOLEAN,
          "SMALLINT", SqlTypeName.SMALLINT,
          "INT", SqlTypeName.INTEGER,
          "INTEGER", SqlTypeName.INTEGER,
          "BIGINT", SqlTypeName.BIGINT,
          "REAL", SqlTypeName.REAL,
          "DOUBLE", SqlTypeName.DOUBLE);

  /** Names that have a special meaning at some positions. */
  private static final List<String> OPERATORS = List.of("MOD", "DIV", "LOCK", "REGEXP", "TOP");

  private static final Set<PlainToken> KEYWORDS = EnumSet.range(PlainToken.SELECT, PlainToken.END);

  /** All words that are not names, in upper case. */
  private static final Map<String, PlainToken> KINDS = kinds();

  private PlainWords() {}

  private static Map<String, PlainToken> kinds() {
    Map<String, PlainToken> kinds = new HashMap<>();
    for (String image : NelumboParserConstants.tokenImage) {
      String word = image.substring(1, image.length() - 1);
      if (image.startsWith("\"") && Character.isLetter(word.charAt(0))) {
        kinds.put(word, PlainToken.OTHER);
      }
    }
    OPERATORS.forEach(word -> kinds.put(word, PlainToken.OTHER));
    NAMES.forEach(kinds::remove);
    TYPES.keySet().forEach(word -> kinds.put(word, PlainToken.TYPE));
    FUNCTIONS.forEach(word -> kinds.put(word, PlainToken.FUNCTION));
    KEYWORDS.forEach(keyword -> kinds.put(keyword.name(), keyword));
    return kinds;
  }

  /** Returns the kind of a word in upper case. */
  static PlainToken kind(String word) {
    return KINDS.getOrDefault(word, PlainToken.NAME);
  }

  /** Returns the type of a word in upper case. */
  static SqlTypeName type(String word) {
    return TYPES.get(word);
  }
}
