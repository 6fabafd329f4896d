package org.nelumbo.parser.plain;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.parser.impl.NelumboParserConstants;

/** What words without quotes are. Whatever the grammar gives a meaning to is no name here. */
final class PlainWords {
  /** Words of the grammar that are names wherever a plain query can have them. */
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

  /** Names that mean something of their own in some places. */
  private static final List<String> OPERATORS = List.of("MOD", "DIV", "LOCK", "REGEXP", "TOP");

  private static final Set<PlainToken> KEYWORDS = EnumSet.range(PlainToken.SELECT, PlainToken.END);

  /** All words that are not names, in capitals. */
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

  /** What a word in capitals is. */
  static PlainToken kind(String word) {
    return KINDS.getOrDefault(word, PlainToken.NAME);
  }

  /** The type that a word in capitals means. */
  static SqlTypeName type(String word) {
    return TYPES.get(word);
  }
}
