package org.nelumbo.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nelumbo.parser.dialect.Identifiers;
import org.nelumbo.parser.dialect.SqlSyntaxException;
import org.nelumbo.parser.dialect.SqlText;
import org.nelumbo.parser.impl.NelumboParserConstants;
import org.nelumbo.parser.impl.ParseException;
import org.nelumbo.parser.impl.ParserFactory;

/** Proves that common names of tables and columns need no quotes, in any position. */
class UnquotedNamesTest {
  /** Statements with # in place of the name. */
  static final List<String> PLACES =
      List.of(
          "CREATE TABLE t (# INT, b INT)",
          "CREATE TABLE t (b INT, # VARCHAR(5) NOT NULL DEFAULT 'x', PRIMARY KEY (#))",
          "CREATE TABLE # (a INT)",
          "CREATE TABLE IF NOT EXISTS s.# (a INT)",
          "CREATE INDEX # ON t (#)",
          "CREATE TABLE t (a INT CONSTRAINT # UNIQUE, CONSTRAINT # CHECK (# > 1))",
          "ALTER TABLE # ADD COLUMN # INT",
          "ALTER TABLE t DROP COLUMN #",
          "DROP TABLE #",
          "SELECT # FROM t",
          "SELECT #, b FROM t",
          "SELECT b, # FROM t",
          "SELECT t.#, x.t.# FROM t",
          "SELECT a AS # FROM t",
          "SELECT # AS a FROM t",
          "SELECT * FROM #",
          "SELECT * FROM #, b",
          "SELECT * FROM # WHERE a = 1",
          "SELECT * FROM # AS x JOIN s.# ON x.# = s.#",
          "SELECT * FROM t AS #",
          "SELECT #.a FROM t",
          "SELECT * FROM t WHERE # = 1",
          "SELECT * FROM t WHERE a = # AND b = 1",
          "SELECT * FROM t WHERE # > # OR # <= ?",
          "SELECT * FROM t WHERE # IS NOT NULL AND # IN (1, #) AND # NOT IN (#, 2)",
          "SELECT * FROM t WHERE # BETWEEN # AND 2 AND # LIKE 'a' AND NOT # = 1",
          "SELECT * FROM t ORDER BY #",
          "SELECT * FROM t ORDER BY # DESC, b",
          "SELECT #, COUNT(*) FROM t GROUP BY # HAVING MAX(#) > 1",
          "SELECT SUM(#), COUNT(DISTINCT #), COALESCE(#, 1), ABS(#), f(1, #) FROM t",
          "SELECT SUM(# - 1), SUM(# + 1), SUM(# * #), MAX(-#) FROM t",
          "SELECT (#), (# - 1), (# + 1) * 2, (#) + 1, -#, # || 'x', # / #, # - 1, # + 1 FROM t",
          "SELECT CASE WHEN # = 1 THEN # ELSE # END FROM t",
          "SELECT CASE # WHEN 1 THEN 2 END, CAST(# AS BIGINT) FROM t",
          "SELECT a FROM t WHERE EXISTS (SELECT # FROM u WHERE u.# = t.#)",
          "SELECT a FROM t WHERE a = (SELECT MAX(#) FROM u)",
          "SELECT a FROM t JOIN u USING (#)",
          "INSERT INTO t (#) VALUES (1)",
          "INSERT INTO t (a, #, b) VALUES (?, ?, ?)",
          "INSERT INTO # VALUES (1)",
          "INSERT INTO t (#) SELECT # FROM u",
          "INSERT INTO t (#) VALUES (1) ON CONFLICT (#) DO UPDATE SET # = # + 1",
          "UPDATE t SET # = 1 WHERE # = 2",
          "UPDATE t SET a = 1, # = # - ?, b = 2",
          "UPDATE t SET # = # + 1 WHERE a = 1",
          "UPDATE # SET a = 1",
          "DELETE FROM # WHERE # = 1",
          "SELECT # FROM t FOR UPDATE OF #");

  private static final String PLAIN_NAME = "PLAIN_NAME";

  /** Each statement with a name that is no SQL keyword. */
  private static final Map<String, String> WITH_PLAIN_NAME =
      PLACES.stream()
          .collect(
              Collectors.toMap(
                  place -> place,
                  place -> SqlText.of(SqlParsing.parseStatement(place.replace("#", PLAIN_NAME)))));

  static Stream<String> keywords() {
    return Stream.of(NelumboParserConstants.tokenImage)
        .map(image -> image.replace("\"", ""))
        .filter(word -> word.matches("[A-Z][A-Z0-9_]*") && !Identifiers.isReserved(word));
  }

  static Stream<String> names() {
    List<String> names = new ArrayList<>();
    for (StatementScript.Example example : StatementScript.read("names.test")) {
      names.addAll(List.of(example.sql().strip().split("\\s+")));
    }
    return names.stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldAcceptCommonWordsAsNames(String name) {
    checkAllPlaces(name);
  }

  @ParameterizedTest
  @MethodSource("keywords")
  void shouldAcceptKeywordsAsNamesUnlessReserved(String name) {
    checkAllPlaces(name);
  }

  @Test
  void shouldReserveFewWords() {
    StatementScript.Example reserved = StatementScript.read("reserved.test").getFirst();
    assertEquals(reserved.sql().replaceAll("\\s+", " "), String.join(" ", Identifiers.reserved()));
  }

  @Test
  void shouldReserveExactlyWordsThatGrammarRejectsAsNames() {
    Set<String> refused =
        Stream.of(NelumboParserConstants.tokenImage)
            .filter(image -> image.startsWith("\""))
            .map(image -> image.replace("\"", ""))
            .filter(word -> word.matches("[A-Z_][A-Z0-9_$]*") && !isName(word))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(refused, Identifiers.reserved());
  }

  private static boolean isName(String word) {
    try {
      ParserFactory.open(word, () -> {}).NameEof();
      return true;
    } catch (ParseException e) {
      return false;
    }
  }

  private static void checkAllPlaces(String name) {
    List<String> failures = new ArrayList<>();
    for (String place : PLACES) {
      String expected =
          WITH_PLAIN_NAME.get(place).replace(PLAIN_NAME, name.toUpperCase(Locale.ROOT));
      String sql = place.replace("#", name);
      try {
        String actual = SqlText.of(SqlParsing.parseStatement(sql));
        if (!actual.equals(expected)) {
          failures.add(sql + " was read as " + actual);
        }
      } catch (SqlSyntaxException e) {
        failures.add(sql + ": " + e.getMessage());
      }
    }
    assertEquals(List.of(), failures, name);
  }
}
