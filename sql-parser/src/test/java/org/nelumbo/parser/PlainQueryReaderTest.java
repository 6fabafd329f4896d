package org.nelumbo.parser;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.apache.calcite.sql.SqlNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.parser.dialect.SqlSyntaxException;
import org.nelumbo.parser.plain.PlainQueryReader;

/**
 * Compares the trees of the reader for simple queries with those of the generated parser, node
 * positions included. {@code -Dnelumbo.plain.queries} makes a longer run, {@code -Dnelumbo.seed}
 * sets another seed.
 */
@Timeout(120)
class PlainQueryReaderTest {
  private static final long SEED = 20_261_127;
  private static final int QUERIES = Integer.getInteger("nelumbo.plain.queries", 1_000);

  private static SqlNode plain(String sql) {
    return PlainQueryReader.read(sql, () -> {});
  }

  /**
   * Returns true if a text is a simple query, whose tree must then be that of the generated parser.
   */
  private static boolean isPlain(String sql, String where) {
    SqlNode plain = plain(sql);
    if (plain == null) {
      return false;
    }
    SqlNode any;
    try {
      any = SqlParsing.parseByGrammar(sql, () -> {});
    } catch (SqlSyntaxException e) {
      throw new AssertionError(where + ", only the grammar refuses " + sql, e);
    }
    assertNull(TreeDifference.of(plain, any), () -> where + ": " + sql);
    return true;
  }

  @Test
  void shouldMakeTheSameTrees() {
    long seed = Long.getLong("nelumbo.seed", SEED);
    PlainText texts = new PlainText(new SplittableRandom(seed));
    int taken = 0;
    for (int i = 0; i < QUERIES; i++) {
      taken += isPlain(texts.statement(), "seed " + seed) ? 1 : 0;
    }
    assertTrue(taken > QUERIES / 4, "only " + taken + " were plain, seed " + seed);
  }

  @Test
  void shouldAgreeWithGrammarOnDamagedTexts() {
    long seed = Long.getLong("nelumbo.seed", SEED);
    PlainText texts = new PlainText(new SplittableRandom(seed));
    int taken = 0;
    for (int i = 0; i < QUERIES; i++) {
      taken += isPlain(texts.damaged(), "seed " + seed) ? 1 : 0;
    }
    assertTrue(taken < QUERIES / 2, "seed " + seed);
  }

  @Test
  void shouldReadExamplesAsTheGrammarDoes() {
    for (String file : List.of("queries.test", "expressions.test", "names.test", "errors.test")) {
      StatementScript.read(file).forEach(example -> isPlain(example.sql(), file));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "SELECT ALL - 81 * - 98 AS col2, - 86",
        "SELECT DISTINCT + ( col0 ) - - 29 * - col2 AS col2 FROM tab2 AS cor0",
        "SELECT - cor0.a FROM t AS cor0 WHERE NOT ( - b ) NOT BETWEEN ( NULL ) AND ( + a );",
        "SELECT a, ? FROM t JOIN u ON b = ? WHERE a = ? AND ? < CASE WHEN ? THEN ? END ORDER BY ?",
        "INSERT INTO s.t (a, b) VALUES (1, DEFAULT), (?, 'x')",
        "UPDATE t AS x SET a = a + 1, b = ? WHERE x.id = ?",
        "DELETE FROM t x WHERE x.id IN (?, 2);",
        "SELECT x.id, COUNT(*) FROM t x JOIN u ON x.id = u.id GROUP BY x.id HAVING COUNT(*) > 1",
        "SELECT * FROM t WHERE a IN (1, 2) AND c LIKE 'x%' ORDER BY b DESC NULLS LAST LIMIT 3"
      })
  void shouldReadTypicalQueries(String sql) {
    assertTrue(isPlain(sql, "example"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM t WHERE a ? 1",
        "SELECT a FROM t LEFT",
        "SELECT a FROM t CROSS t",
        "SELECT a FROM t FOR UPDATE",
        "SELECT (SELECT 1)",
        "SELECT a -- comment",
        "SELECT a mod 2 FROM t",
        "SELECT a BETWEEN 1 AND NOT b FROM t",
        "SELECT a IN (1) BETWEEN b AND c BETWEEN d AND e FROM t",
        "SELECT a IS NULL BETWEEN b AND c = d FROM t",
        "SELECT a IS NULL + b BETWEEN c AND d = e FROM t",
        "SELECT 'a' 'b'",
        "SELECT DATE '2026-01-01'",
        "SELECT SUM(a) OVER () FROM t",
        "INSERT INTO t SELECT 1",
        "INSERT INTO t VALUES 1",
        "INSERT INTO t DEFAULT VALUES",
        "INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING",
        "INSERT INTO t SET a = 1",
        "UPDATE t SET (a, b) = (1, 2)",
        "UPDATE t SET a = 1 FROM u",
        "UPDATE t SET a = 1 LIMIT 1",
        "DELETE FROM t USING u",
        "DELETE FROM t WHERE a = 1 RETURNING a",
        "DELETE t",
        "SELECT a FROM t; SELECT 1",
        ""
      })
  void shouldReturnNullForUnsupportedQueries(String sql) {
    assertNull(plain(sql));
  }

  @Test
  void shouldReturnNullForDeepExpressions() {
    assertNotNull(plain("SELECT " + "(".repeat(50) + "1" + ")".repeat(50)));
    assertNull(plain("SELECT " + "(".repeat(5_000) + "1" + ")".repeat(5_000)));
    assertNull(plain("SELECT " + "- ".repeat(5_000) + "a"));
  }

  @Test
  void shouldReturnNullForLongNames() {
    assertNotNull(plain("SELECT a FROM " + "n".repeat(SqlParsing.IDENTIFIER_LENGTH_MAX)));
    assertNull(plain("SELECT a FROM " + "n".repeat(SqlParsing.IDENTIFIER_LENGTH_MAX + 1)));
  }
}
