package org.nelumbo.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.util.Litmus;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.nelumbo.parser.ast.NelumboStatement;
import org.nelumbo.parser.ast.StatementKinds;
import org.nelumbo.parser.dialect.SqlSyntaxException;
import org.nelumbo.parser.dialect.SqlText;

/** Parses example statements, and checks that they are unparsed as they were written. */
class StatementTextTest {

  @TestFactory
  Stream<DynamicTest> shouldWriteTablesAsRead() {
    return examples("tables.test");
  }

  @TestFactory
  Stream<DynamicTest> shouldWriteQueriesAsRead() {
    return examples("queries.test");
  }

  @TestFactory
  Stream<DynamicTest> shouldWriteSessionStatementsAsRead() {
    return examples("session.test");
  }

  @TestFactory
  Stream<DynamicTest> shouldWriteExpressionsAsRead() {
    return examples("expressions.test");
  }

  @TestFactory
  Stream<DynamicTest> shouldReadJdbcEscapes() {
    return examples("escapes.test");
  }

  @TestFactory
  Stream<DynamicTest> shouldSayWhatIsWrong() {
    return examples("errors.test");
  }

  private static Stream<DynamicTest> examples(String file) {
    if (StatementScript.rewrite(file, StatementTextTest::outcome)) {
      return Stream.empty();
    }
    return StatementScript.read(file).stream()
        .map(
            example ->
                DynamicTest.dynamicTest(
                    example.sql(), () -> assertEquals(example.expected(), outcome(example.sql()))));
  }

  private static String outcome(String sql) {
    try {
      SqlNode statement = SqlParsing.parseStatement(sql);
      String text = SqlText.of(statement);
      checkRoundTrip(statement, text);
      return text;
    } catch (SqlSyntaxException e) {
      return "error: " + e.getMessage();
    }
  }

  private static void checkRoundTrip(SqlNode statement, String text) {
    assertFalse(text.contains("\n"), text);
    assertNotNull(StatementKinds.of(statement));
    SqlNode again = SqlParsing.parseStatement(text);
    assertEquals(text, SqlText.of(again));
    if (statement instanceof NelumboStatement) {
      assertTrue(statement.equalsDeep(again, Litmus.IGNORE), text);
    }
    SqlNode copy = statement.clone(statement.getParserPosition());
    assertEquals(text, SqlText.of(copy));
  }
}
