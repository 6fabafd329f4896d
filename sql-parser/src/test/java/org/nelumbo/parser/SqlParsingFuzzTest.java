package org.nelumbo.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.calcite.sql.SqlNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.parser.ast.ColumnDefinition;
import org.nelumbo.parser.ast.CreateTable;
import org.nelumbo.parser.ast.StatementKinds;
import org.nelumbo.parser.dialect.SqlSyntaxException;
import org.nelumbo.parser.dialect.SqlText;
import org.nelumbo.parser.impl.NelumboParserConstants;

/**
 * Parses random texts: the result is a tree that can be unparsed, or a syntax error with a position
 * in the text. {@code -Dnelumbo.fuzz.seconds} makes a longer run, {@code -Dnelumbo.seed} sets
 * another seed.
 */
class SqlParsingFuzzTest {
  private static final List<String> TOKENS = tokens();
  private static final List<String> EXAMPLES = statements();
  private static final int STATEMENTS = 3000;
  private static final long SECONDS = Long.getLong("nelumbo.fuzz.seconds", 0);

  @Test
  @Timeout(value = 7, unit = TimeUnit.DAYS)
  void shouldRefuseTokensPolitely() {
    long seed = Long.getLong("nelumbo.seed", 20_261_127);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    SplittableRandom random = new SplittableRandom(seed);
    long count = 0;
    for (; count < STATEMENTS || System.nanoTime() < end; count++) {
      String sql = random.nextBoolean() ? soup(random) : damaged(random);
      try {
        parseOrRefuse(sql);
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed + ": " + sql, e);
      }
    }
    System.out.println("RESULT fuzz parsed-statements=" + count);
  }

  @Property(seed = "1", tries = 500)
  void shouldRefuseAnyTextPolitely(@ForAll String sql) {
    parseOrRefuse(sql);
  }

  @Property(seed = "1", tries = 300)
  void shouldReadColumnClausesInAnyOrder(@ForAll("shuffledClauses") List<String> clauses) {
    String sql = "CREATE TABLE t (c BIGINT " + String.join(" ", clauses) + ", d INT)";
    String expected = "CREATE TABLE T (C BIGINT NOT NULL DEFAULT 1 + 2";
    ColumnDefinition column = ((CreateTable) SqlParsing.parseStatement(sql)).columns().getFirst();
    assertTrue(SqlText.of(SqlParsing.parseStatement(sql)).startsWith(expected), sql);
    assertEquals(4, column.constraints().size(), sql);
    assertTrue(column.isNotNull(), sql);
  }

  private static void parseOrRefuse(String sql) {
    SqlNode statement;
    try {
      statement = SqlParsing.parseStatement(sql);
    } catch (SqlSyntaxException e) {
      checkPlace(sql, e);
      return;
    }
    assertNotNull(StatementKinds.of(statement));
    assertFalse(SqlText.of(statement).isEmpty());
  }

  private static void checkPlace(String sql, SqlSyntaxException e) {
    String[] lines = sql.split("\r\n|\n|\r", -1);
    assertTrue(e.line() >= 1 && e.line() <= lines.length, e.getMessage());
    int width = Math.max(1, lines[e.line() - 1].length() + 1);
    assertTrue(e.column() >= 1 && e.column() <= width, e.getMessage());
  }

  @Provide
  Arbitrary<List<String>> shuffledClauses() {
    return Arbitraries.shuffle(
        "NOT NULL",
        "DEFAULT 1 + 2",
        "PRIMARY KEY",
        "CONSTRAINT u UNIQUE",
        "CHECK (c > 0)",
        "REFERENCES p (q) ON DELETE CASCADE");
  }

  private static String soup(SplittableRandom random) {
    StringBuilder sql = new StringBuilder();
    for (int i = random.nextInt(13); i > 0; i--) {
      sql.append(any(TOKENS, random)).append(' ');
    }
    return sql.toString();
  }

  /** Returns a statement of the examples in which tokens are dropped, doubled or replaced. */
  private static String damaged(SplittableRandom random) {
    List<Integer> places = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      places.add(random.nextInt(1000));
    }
    return damage(any(EXAMPLES, random), places, any(TOKENS, random));
  }

  private static String any(List<String> texts, SplittableRandom random) {
    return texts.get(random.nextInt(texts.size()));
  }

  private static String damage(String sql, List<Integer> places, String token) {
    List<String> words = new ArrayList<>(List.of(sql.split("(?<=\\W)|(?=\\W)")));
    for (int place : places) {
      int at = place % words.size();
      switch (place % 3) {
        case 0 -> words.set(at, " ");
        case 1 -> words.add(at, words.get(at) + " ");
        default -> words.set(at, " " + token + " ");
      }
    }
    return String.join("", words);
  }

  private static List<String> statements() {
    List<String> statements = new ArrayList<>();
    for (String file : List.of("tables.test", "queries.test", "expressions.test", "session.test")) {
      StatementScript.read(file).forEach(example -> statements.add(example.sql()));
    }
    return statements;
  }

  private static List<String> tokens() {
    List<String> tokens = new ArrayList<>();
    for (String image : NelumboParserConstants.tokenImage) {
      if (image.startsWith("\"")) {
        tokens.add(
            image.substring(1, image.length() - 1).replace("\\\"", "\"").replace("\\\\", "\\"));
      }
    }
    for (int i = 0; i < 25; i++) {
      tokens.addAll(List.of("t", "\"Q\"", "1", "1.5", "1e9", "'s'", "?", ",", "(", ")", ".", "*"));
      tokens.addAll(List.of("SELECT", "FROM", "WHERE", "CREATE", "TABLE", "INT", "=", "+", "a"));
    }
    return tokens;
  }
}
