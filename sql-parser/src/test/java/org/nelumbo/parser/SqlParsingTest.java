package org.nelumbo.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.util.SqlShuttle;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.nelumbo.parser.ast.ColumnDefinition;
import org.nelumbo.parser.ast.Constraint;
import org.nelumbo.parser.ast.CreateTable;
import org.nelumbo.parser.ast.InsertOnConflict;
import org.nelumbo.parser.ast.LockWait;
import org.nelumbo.parser.ast.LockingQuery;
import org.nelumbo.parser.ast.PrimaryKeyConstraint;
import org.nelumbo.parser.ast.Rollback;
import org.nelumbo.parser.ast.StatementKinds;
import org.nelumbo.parser.dialect.Identifiers;
import org.nelumbo.parser.dialect.SqlSyntaxException;
import org.nelumbo.parser.dialect.SqlText;
import org.nelumbo.session.StatementKind;

/**
 * The entry points of the parser: their results, the positions of errors, and the sizes of texts
 * that they accept.
 */
class SqlParsingTest {

  @Test
  void shouldFoldNamesWithoutQuotesToUpperCase() {
    CreateTable table =
        (CreateTable) SqlParsing.parseStatement("create table MyTable (\"MyColumn\" int)");
    assertEquals("MYTABLE", table.name().getSimple());
    assertEquals("MyColumn", table.columns().getFirst().name().getSimple());
  }

  @Test
  void shouldParseColumnsAndConstraintsOfTables() {
    CreateTable table =
        (CreateTable)
            SqlParsing.parseStatement(
                "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(3) NOT NULL DEFAULT 'x', UNIQUE"
                    + " (b))");
    List<ColumnDefinition> columns = table.columns();
    assertEquals(2, columns.size());
    assertFalse(columns.get(0).isNotNull());
    assertTrue(columns.get(1).isNotNull());
    assertEquals("'x'", SqlText.of(columns.get(1).defaultValue()));
    List<Constraint> constraints = table.constraints();
    assertEquals(2, constraints.size());
    assertEquals("A", SqlText.of(((PrimaryKeyConstraint) constraints.get(0)).columns().get(0)));
  }

  @Test
  void shouldParseQueryWithLockingClause() {
    LockingQuery locking =
        (LockingQuery) SqlParsing.parseStatement("SELECT a FROM t FOR UPDATE NOWAIT");
    assertEquals(LockWait.NOWAIT, locking.lockWait());
    assertTrue(locking.query() instanceof SqlSelect);
    assertEquals(StatementKind.LOCKING_QUERY, StatementKinds.of(locking));
  }

  @Test
  void shouldClassifyStatements() {
    assertEquals(StatementKind.QUERY, kind("SELECT 1 ORDER BY 1"));
    assertEquals(StatementKind.QUERY, kind("WITH q AS (SELECT 1) SELECT * FROM q"));
    assertEquals(StatementKind.INSERT, kind("INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING"));
    assertEquals(StatementKind.UPDATE, kind("UPDATE t SET a = 1"));
    assertEquals(StatementKind.COMMIT, kind("COMMIT"));
    assertTrue(kind("EXPLAIN SELECT 1").returnsRows());
    assertTrue(kind("DELETE FROM t").changesRows());
    assertTrue(kind("TRUNCATE TABLE t").changesCatalog());
    assertTrue(kind("BEGIN").controlsTransaction());
  }

  @Test
  void shouldReadScripts() {
    List<SqlNode> script = SqlParsing.parseScript(";SELECT ';' -- ;\n; ROLLBACK;;\n COMMIT");
    assertEquals(3, script.size());
    assertNull(((Rollback) script.get(1)).savepoint());
    assertEquals(List.of(), SqlParsing.parseScript(""));
    assertEquals(List.of(), SqlParsing.parseScript(" -- nothing\n ; "));
  }

  @Test
  void shouldCutScriptsOutsideOfQuotesAndComments() {
    String script = "SELECT ';' AS \";\" -- ;\n, 1 /* ; */; ;\n-- end;\n;COMMIT";
    List<String> parts = SqlParsing.splitScript(script);
    assertEquals(List.of("SELECT ';' AS \";\" -- ;\n, 1 /* ; */", "COMMIT"), parts);
    assertEquals(SqlParsing.parseScript(script).size(), parts.size());
    assertEquals(List.of("SELECT 'a;"), SqlParsing.splitScript("SELECT 'a;"));
    assertEquals(List.of(), SqlParsing.splitScript("/* ; */ ; // ;"));
  }

  @Test
  void shouldReportErrorPositionInScript() {
    SqlSyntaxException e =
        assertThrows(
            SqlSyntaxException.class,
            () -> SqlParsing.parseScript("COMMIT;\n\tSELECT a b c FROM t;"));
    assertEquals(2, e.line());
    assertEquals(13, e.column());
    assertTrue(e.getMessage().contains("line 2, column 13"), e.getMessage());
    assertTrue(e.problem().startsWith("unexpected 'c'"), e.problem());
  }

  @Test
  void shouldReparseFormattedExpression() {
    String text = SqlText.of(SqlParsing.parseExpression("a + 1 > 2 and \"b c\" = 'x'"));
    assertEquals("A + 1 > 2 AND \"b c\" = 'x'", text);
    assertEquals(text, SqlText.of(SqlParsing.parseExpression(text)));
  }

  @Test
  void shouldKeepFlagsWhenRewritten() {
    SqlNode statement = SqlParsing.parseStatement("DROP TABLE IF EXISTS a, b CASCADE");
    SqlNode renamed =
        statement.accept(
            new SqlShuttle() {
              @Override
              public SqlNode visit(SqlIdentifier id) {
                return new SqlIdentifier(id.getSimple() + "1", id.getParserPosition());
              }
            });
    assertEquals("DROP TABLE IF EXISTS A1, B1 CASCADE", renamed.toString());
    assertEquals("DROP TABLE IF EXISTS A, B CASCADE", statement.toString());
  }

  @Test
  void shouldParseInsertWithConflictClause() {
    InsertOnConflict insert =
        (InsertOnConflict)
            SqlParsing.parseStatement(
                "INSERT INTO t (a) VALUES (?) ON CONFLICT (a) DO UPDATE SET b = ?");
    SqlInsert plain = insert.insert();
    assertEquals("T", plain.getTargetTable().toString());
    assertFalse(insert.doesNothing());
    assertEquals(1, insert.updateValues().size());
  }

  @Test
  void shouldReadLongStatements() {
    String rows = "(1, 'a'), ".repeat(20_000);
    SqlParsing.parseStatement("INSERT INTO t VALUES " + rows + "(1, 'b')");
    String list = "?, ".repeat(20_000);
    SqlParsing.parseStatement("SELECT a FROM t WHERE a IN (" + list + "?)");
  }

  @Test
  void shouldBearDeepNesting() {
    Assertions.assertTimeout(
        Duration.ofSeconds(30),
        () -> {
          SqlParsing.parseStatement("SELECT " + "(".repeat(50) + "1" + ")".repeat(50));
          assertThrows(
              SqlSyntaxException.class,
              () -> SqlParsing.parseStatement("SELECT " + "(".repeat(100_000)));
          assertThrows(
              SqlSyntaxException.class,
              () -> SqlParsing.parseStatement("SELECT " + "CASE WHEN ".repeat(100_000)));
        });
  }

  @Test
  void shouldNameReservedWordsOnly() {
    assertTrue(Identifiers.isReserved("select"));
    assertFalse(Identifiers.isReserved("value"));
    assertFalse(Identifiers.isReserved("no_keyword"));
    assertTrue(Identifiers.isPlain("A_1"));
    assertFalse(Identifiers.isPlain("a_1"));
    assertFalse(Identifiers.isPlain("ORDER"));
    assertTrue(Identifiers.reserved().contains("WHERE"));
  }

  private static StatementKind kind(String sql) {
    return StatementKinds.of(SqlParsing.parseStatement(sql));
  }
}
