package org.nelumbo.parser.dialect;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Distinguishes words that can be names without quotes from reserved words. */
public final class Identifiers {
  private static final Pattern PLAIN = Pattern.compile("[A-Z_][A-Z0-9_$]*");

  /**
   * Words that the grammar does not accept as names; a test compares them with all keywords of the
   * parser.
   */
  private static final Set<String> RESERVED =
      Collections.unmodifiableSet(
          new TreeSet<>(
              List.of(
                  """
                  ALL AND ANY ARRAY AS ASYMMETRIC BETWEEN CASE CAST CHECK COLLATE COLUMN
                  CONSTRAINT CREATE CROSS CURRENT_CATALOG CURRENT_DATE
                  CURRENT_DEFAULT_TRANSFORM_GROUP CURRENT_PATH CURRENT_ROLE CURRENT_ROW
                  CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_TRANSFORM_GROUP_FOR_TYPE
                  CURRENT_USER DEFAULT DELETE DISTINCT DROP ELSE EXCEPT EXISTS FALSE FETCH FOR
                  FOREIGN FROM FULL GROUP HAVING IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN
                  LATERAL LEFT LIKE LIMIT LOCALTIME LOCALTIMESTAMP MATCH_RECOGNIZE MINUS NATURAL
                  NOT NULL OF OFFSET ON OR ORDER OUTER PRIMARY RIGHT SELECT SESSION_USER SET SOME
                  SYMMETRIC SYSTEM_USER TABLE TABLESAMPLE THEN TO TRUE UESCAPE UNION UNIQUE
                  UNKNOWN UNNEST UPDATE USING VALUES WHEN WHERE WINDOW WITH
                  """
                      .strip()
                      .split("\\s+"))));

  private Identifiers() {}

  /** Returns true if a name can be written without quotes and remains the same. */
  public static boolean isPlain(String name) {
    return PLAIN.matcher(name).matches() && !isReserved(name);
  }

  /** Returns true if a word, in any case, cannot be a name without quotes. */
  public static boolean isReserved(String word) {
    return RESERVED.contains(word.toUpperCase(Locale.ROOT));
  }

  /** Returns all words that cannot be names without quotes, in alphabetical order. */
  public static Set<String> reserved() {
    return RESERVED;
  }
}
