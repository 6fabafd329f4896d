package org.nelumbo.planner.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.calcite.sql.SqlNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.planner.frontend.SqlFrontEnd;

/**
 * Proves that the fast path converts queries to the same trees as the full path. {@code
 * -Dnelumbo.test.jvm=-Dnelumbo.plain.queries=1000000} makes a longer run, {@code -Dnelumbo.seed}
 * sets another seed.
 */
@Timeout(120)
class PlainQueryTest {
  private static final int QUERIES = Integer.getInteger("nelumbo.plain.queries", 2_000);

  private static PlainCatalog catalog;

  private final SqlFrontEnd frontEnd = new SqlFrontEnd();

  @BeforeAll
  static void open() {
    catalog = new PlainCatalog("CREATE SEQUENCE sq", "CREATE VIEW seen AS SELECT id, a FROM t");
  }

  @AfterAll
  static void close() {
    catalog.close();
  }

  private TableQuery plain(String sql, boolean lifts) {
    SqlNode statement = PlainCatalog.parsed(sql, lifts);
    return parts(statement).convertPlain(statement);
  }

  private SqlFrontEnd.StatementParts parts(SqlNode statement) {
    return catalog.parts(frontEnd, statement);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT none FROM t",
        "SELECT a FROM none",
        "SELECT t.a FROM t x",
        "SELECT a FROM t x, t y",
        "SELECT a, COUNT(*) FROM t GROUP BY b",
        "SELECT a FROM t WHERE a",
        "SELECT a + v FROM t",
        "SELECT a FROM t WHERE c = 'x'",
        "SELECT a FROM t WHERE v = c",
        "SELECT SUM(COUNT(*)) FROM t",
        "SELECT * FROM seen",
        "SELECT a FROM t WHERE ? = ?",
        "SELECT ? FROM t",
        "SELECT a FROM t WHERE a + ? = 5",
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)",
        "SELECT a FROM t ORDER BY b",
        "SELECT a FROM t ORDER BY 2",
        "SELECT a AS x, b AS x FROM t ORDER BY x",
        "SELECT a + 1, a + 1 FROM t",
        "SELECT COUNT(*) AS a, COUNT(b) AS a FROM t HAVING MAX(a) > 1",
        "SELECT a FROM t LIMIT ?",
        "SELECT UPPER(v) FROM t",
        "SELECT COALESCE()",
        "SELECT NULLIF(1)",
        "SELECT COUNT()",
        "SELECT NEXT VALUE FOR sq",
        "SELECT CURRENT VALUE FOR sq FROM t",
        "SELECT DISTINCT ON (a) a, b FROM t",
        "SELECT a FROM t ORDER BY a FETCH FIRST 1 ROW WITH TIES",
        "SELECT a FROM t LEFT JOIN u ON a = w",
        "SELECT a FROM t JOIN u USING (id)",
        "SELECT a FROM t x JOIN u ON x.a = y.w JOIN u y ON y.w = 1",
        "SELECT a FROM t UNION SELECT w FROM u",
        "SELECT NULL",
        "DELETE FROM t",
      })
  void shouldFallBackToFullPath(String sql) {
    assertNull(plain(sql, false));
  }

  /**
   * The fast path leaves the syntax tree unchanged, because the full path may plan the query
   * afterwards.
   */
  @Test
  void shouldNotModifySyntaxTree() {
    PlainSql queries = new PlainSql(7);
    for (int i = 0; i < QUERIES / 10; i++) {
      SqlNode statement = PlainCatalog.parsed(queries.query(), true);
      String before = statement.toString();
      parts(statement).convertPlain(statement);
      assertEquals(before, statement.toString());
    }
  }
}
