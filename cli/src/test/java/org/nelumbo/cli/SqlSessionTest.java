package org.nelumbo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code nelumbo sql} on our own database, as used by scripts. */
class SqlSessionTest {
  private static Run csv(String script) throws Exception {
    return Run.of(script, "sql", "--outputformat=csv");
  }

  @Test
  void shouldRunDefinitionsChangesAndTransactions() throws Exception {
    Run run =
        csv(
            """
            -- a shop
            CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(10) NOT NULL, price DECIMAL(8, 2));
            INSERT INTO item VALUES
              (1, 'pen; red', 1.5), -- two lines
              (2, 'ink', 3);
            !autocommit off
            UPDATE item SET price = 9 WHERE id = 1;
            SELECT price FROM item WHERE id = 1;
            !rollback
            SELECT price FROM item WHERE id = 1;
            SAVEPOINT before;
            DELETE FROM item WHERE id = 1;
            ROLLBACK TO SAVEPOINT before;
            DELETE FROM item WHERE id = 2;
            !commit
            !autocommit on
            SELECT id, name FROM item ORDER BY id;
            """);
    assertEquals(0, run.status(), run::all);
    assertEquals("PRICE\n9.00\nPRICE\n1.50\nID,NAME\n1,pen; red\n", run.out());
    assertEquals("", run.err());
  }

  @Test
  void shouldWriteNullForEachOutputFormat() throws Exception {
    String query =
        "SELECT CAST(NULL AS INTEGER) AS i, CAST(NULL AS VARCHAR(5)) AS s,"
            + " CAST(NULL AS BOOLEAN) AS b, 'NULL' AS t FROM (VALUES 1) v;\n";
    Run run = Run.of("!outputformat csv\n" + query + "!outputformat json\n" + query, "sql");
    assertEquals(0, run.status(), run::all);
    assertTrue(run.out().contains("I,S,B,T\n,,,NULL\n"), run::all);
    String json = "{'I':null,'S':null,'B':null,'T':'NULL'}".replace('\'', '"');
    assertTrue(run.out().contains(json), run::all);
  }

  @Test
  void shouldDescribeSchemaObjects() throws Exception {
    Run run =
        csv(
            """
            CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(10) NOT NULL);
            CREATE TABLE part (id INT PRIMARY KEY, item INT REFERENCES item (id));
            CREATE UNIQUE INDEX by_name ON item (name);
            !tables
            !describe item
            !indexes item
            !primarykeys item
            !importedkeys PART
            !exportedkeys ITEM
            !procedures
            !typeinfo
            !dbinfo
            !nativesql SELECT {fn UCASE('x')}
            !isolation TRANSACTION_REPEATABLE_READ
            """);
    assertEquals(0, run.status(), run::all);
    assertTrue(run.out().contains("PUBLIC,ITEM,TABLE"), run::all);
    assertTrue(run.out().contains("ITEM,NAME,12,VARCHAR,10"), run::all);
    assertTrue(run.out().contains("BY_NAME"), run::all);
    assertTrue(run.out().contains("ITEM,ID,1,ITEM_PKEY"), run::all);
    assertEquals(
        2,
        run.out().lines().filter(line -> line.contains("PUBLIC,ITEM,ID,,PUBLIC,PART")).count(),
        run::all);
    assertTrue(run.out().contains("UPPER('x')"), run::all);
    assertEquals("", run.err());
  }

  @Test
  void shouldStopAtErrorAndReportIt() throws Exception {
    Run run = csv("VALUES 1;\nSELECT nme FROM (VALUES ('x')) AS t (name);\nVALUES 'after';\n");
    assertEquals(1, run.status(), run::all);
    assertTrue(run.err().contains("line 1, column 8"), run::all);
    assertTrue(run.err().contains("NME") && run.err().contains("state=42S22"), run::all);
    assertFalse(run.all().contains("after") && run.out().contains("after"), run::all);
    assertFalse(run.err().contains("\tat "), run::all);
  }

  @Test
  void shouldContinueAfterErrorWhenForced() throws Exception {
    Run run = Run.of("SELEC 1;\nVALUES 'after';\n", "sql", "--force=true");
    assertEquals(1, run.status(), run::all);
    assertTrue(run.err().contains("Did you mean SELECT?"), run::all);
    assertTrue(run.out().contains("after"), run::all);
  }

  @Test
  void shouldReportErrorBeforeLastStatement() throws Exception {
    Run run =
        Run.of(
            "",
            "sql",
            "-e",
            "CREATE TABLE t (a INT PRIMARY KEY)",
            "-e",
            "INSERT INTO t VALUES (1), (1)",
            "-e",
            "SELECT COUNT(*) AS n FROM t");
    assertEquals(1, run.status(), run::all);
    assertTrue(run.err().contains("state=23505"), run::all);
  }

  @Test
  void shouldShowNullsAndTextsOfAnyLanguage() throws Exception {
    Run run =
        Run.of(
            "",
            "sql",
            "-e",
            "SELECT CAST(NULL AS VARCHAR(5)) AS a, CAST(NULL AS INT) AS b, '' AS c, 'é漢字' AS d");
    assertEquals(0, run.status(), run::all);
    assertTrue(run.out().contains("| NULL | NULL |   | é漢字 |"), run::all);
  }

  @Test
  void shouldDoNothingWithoutInput() throws Exception {
    assertEquals(new Run(0, "", ""), Run.of("", "sql"));
  }

  @Test
  void shouldRunAStatementBeforeTheNextOneIsWritten() throws Exception {
    Process sql = Run.start("sql", "--outputformat=csv", "--showHeader=false");
    // ends a process that waits forever for the end of its input
    CompletableFuture.delayedExecutor(5, TimeUnit.MINUTES).execute(sql::destroyForcibly);
    try (BufferedReader from = sql.inputReader()) {
      try (BufferedWriter to = sql.outputWriter()) {
        for (String row : List.of("first", "second")) {
          to.write("VALUES\n '" + row + "';\n");
          to.flush();
          assertEquals(row, from.readLine());
        }
        to.write("VALUES 'without a semicolon'");
      }
      assertEquals("without a semicolon", from.readLine());
    }
    assertEquals(0, sql.waitFor());
  }

  @Test
  void shouldSuggestFullJdbcUrl() throws Exception {
    Run run = Run.of("", "sql", "mem:shop", "-e", "VALUES 1");
    assertEquals(3, run.status(), run::all);
    assertTrue(run.err().contains("jdbc:nelumbo:mem:shop"), run::all);
  }

  @Test
  void shouldWriteCsvThatCanBeReadBack() throws Exception {
    String rows = "(1, 'a,\"b'), (2, NULL), (3, ''), (4, 'two\nlines'), (5, ' x '), (6, 'NULL')";
    Run run =
        csv(
            "CREATE TABLE t (\"key\" INT PRIMARY KEY, \"a,b\" VARCHAR(20));\nINSERT INTO t VALUES "
                + rows
                + ";\nSELECT * FROM t ORDER BY 1;\n");
    assertEquals(0, run.status(), run::all);
    assertEquals(
        "key,\"a,b\"\n1,\"a,\"\"b\"\n2,\n3,\"\"\n4,\"two\nlines\"\n5,\" x \"\n6,NULL\n", run.out());
  }

  @Test
  void shouldRunStatementsAndFilesInTheirOrderAndNotRepeatThem(@TempDir Path folder)
      throws Exception {
    Path first = Files.writeString(folder.resolve("a b.sql"), "\uFEFFINSERT INTO t VALUES (1);\n");
    Path second = Files.writeString(folder.resolve("c.sql"), "INSERT INTO t VALUES (3);");
    String create = "CREATE TABLE t (a INT PRIMARY KEY)";
    String[] steps = {
      "-e",
      create,
      "-f",
      first.toString(),
      "-e",
      "SELECT * FROM t",
      "-f",
      second.toString(),
      "-e",
      "SELECT COUNT(*) AS n FROM t"
    };
    List<String> all = new ArrayList<>(List.of("sql", "--outputformat=csv"));
    all.addAll(List.of(steps));
    Run run = Run.of("", all.toArray(String[]::new));
    assertEquals(new Run(0, "A\n1\nN\n2\n", ""), run, run::all);
  }

  @Test
  void shouldReportScriptLineOfFailedStatement(@TempDir Path folder) throws Exception {
    Path script =
        Files.writeString(folder.resolve("a.sql"), "VALUES 1;\n\n-- x\nVALUES\n nme;\nVALUES 2;\n");
    Run run = Run.of("", "sql", "--outputformat=csv", "-f", script.toString());
    assertEquals(1, run.status(), run::all);
    assertEquals("C1\n1\n", run.out());
    assertTrue(run.err().contains(script + ", line 4: the statement"), run::all);
  }

  @Test
  void shouldSupportCommonPsqlCommands() throws Exception {
    Run run =
        csv(
            """
            CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(10) NOT NULL);
            \\dt
            \\d item
            \\timing off
            \\?
            \\copy item
            VALUES 'after';
            """);
    assertEquals(1, run.status(), run::all);
    String lists =
        """
        TABLE_NAME,TABLE_TYPE,REMARKS
        ITEM,TABLE,
        COLUMN_NAME,DATA_TYPE,NULLABLE,COLUMN_DEFAULT,REMARKS
        ID,INTEGER,FALSE,,
        NAME,VARCHAR(10),FALSE,,
        """;
    assertTrue(run.out().startsWith(lists + "A statement ends with a semicolon"), run::all);
    assertTrue(run.err().contains("\\copy is not a command"), run::all);
    assertFalse(run.out().contains("after"), run::all);
  }

  @Test
  void shouldSkipClientDirectivesInDumps() throws Exception {
    Run run =
        csv(
            """
            #
            # It doesn't matter; this is for MySQL.
            /*!40101 SET @OLD_SQL_MODE=@@SQL_MODE */;
            \\restrict BCGUhNNos9jbf147

            -- Dumped from database version 15.18
            SET statement_timeout = 0;
            CREATE TABLE t (id INTEGER);
            /*!50001 CREATE ALGORITHM=UNDEFINED */
            /*!50013 SQL SECURITY DEFINER */
            /*!50001 VIEW v AS select 1 */;
            INSERT INTO t VALUES (7);
            SELECT id FROM t;
            \\unrestrict BCGUhNNos9jbf147
            """);
    assertEquals(0, run.status(), run::all);
    assertEquals("ID\n7\n", run.out());
    assertEquals("", run.err());
  }

  @Test
  void shouldStopAtQuitCommand() throws Exception {
    assertEquals(new Run(0, "C1\n1\n", ""), csv("VALUES 1;\n\\q\nVALUES 2;\n"));
  }

  @Test
  void shouldNotMakeAPoolInSharedFilesInPassing(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("pool");
    Run run = Run.of("", "sql", "jdbc:nelumbo:shm:" + file, "-e", "VALUES 1");
    assertEquals(3, run.status(), run::all);
    assertTrue(run.err().contains("create=true"), run::all);
    assertFalse(Files.exists(file));
    run = Run.of("", "sql", "jdbc:nelumbo:shm:" + file + "?memory=16m", "-e", "VALUES 1");
    assertEquals(0, run.status(), run::all);
    assertEquals(0, Run.of("", "sql", "jdbc:nelumbo:shm:" + file, "-e", "VALUES 1").status());
  }

  @Test
  void shouldRunAFile(@TempDir Path folder) throws Exception {
    Path script = Files.writeString(folder.resolve("a.sql"), "VALUES\n 'from a file';\n");
    Run run = Run.of("", "sql", "-f", script.toString());
    assertEquals(0, run.status(), run::all);
    assertTrue(run.out().contains("from a file"), run::all);
  }

  @Test
  void shouldReportMissingFileAsWrongUsage(@TempDir Path folder) throws Exception {
    String missing = folder.resolve("nosuch.sql").toString();
    Run run = Run.of("", "sql", "-f", missing);
    assertEquals(2, run.status(), run::all);
    assertTrue(run.err().contains(missing), run::all);
    assertFalse(run.err().contains("\tat "), run::all);
  }

  @Test
  void shouldListKnownPropertiesOnUnknownProperty() throws Exception {
    Run run = Run.of("", "sql", "jdbc:nelumbo:mem:x?password=xyz&isolatoin=a", "-e", "VALUES 1");
    assertEquals(3, run.status(), run::all);
    assertFalse(run.err().contains("xyz"), run::all);
    assertTrue(run.err().contains("isolatoin") && run.err().contains("lockTimeout"), run::all);
  }
}
