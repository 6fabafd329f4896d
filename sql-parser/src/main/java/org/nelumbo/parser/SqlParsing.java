package org.nelumbo.parser;

import java.util.List;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.parser.dialect.SqlSyntaxException;
import org.nelumbo.parser.dialect.SqlText;
import org.nelumbo.parser.impl.NelumboParser;
import org.nelumbo.parser.impl.ParseException;
import org.nelumbo.parser.impl.ParserFactory;
import org.nelumbo.parser.plain.PlainQueryReader;

/**
 * The SQL parser: from text to syntax trees.
 *
 * <p>Names without quotes are folded to upper case, names in double quotes stay as they are, and
 * either may have up to {@link #IDENTIFIER_LENGTH_MAX} characters. All methods may be called from
 * any thread; all throw {@link SqlSyntaxException} and nothing else for any text.
 */
public final class SqlParsing {
  /** The longest name, in characters. */
  public static final int IDENTIFIER_LENGTH_MAX = ParserFactory.IDENTIFIER_LENGTH_MAX;

  private SqlParsing() {}

  /** Reads one statement; semicolons after it are accepted. */
  public static SqlNode parseStatement(String sql) {
    return parseStatement(sql, () -> {});
  }

  /**
   * Reads one statement, and runs {@code progress} now and then; what that throws ends the reading.
   */
  public static SqlNode parseStatement(String sql, Runnable progress) {
    SqlNode plain = PlainQueryReader.read(sql, progress);
    return plain == null ? parseByGrammar(sql, progress) : plain;
  }

  /** Reads one statement by the generated parser. */
  static SqlNode parseByGrammar(String sql, Runnable progress) {
    return read(sql, progress, NelumboParser::StatementEof);
  }

  /** Reads statements separated by semicolons; the list is empty if there is none. */
  public static List<SqlNode> parseScript(String sql) {
    return read(sql, NelumboParser::ScriptEof);
  }

  /**
   * Cuts a script at its semicolons, without reading the statements; those that say nothing are
   * left out. For callers that need the text of each statement.
   */
  public static List<String> splitScript(String sql) {
    return TextPieces.statements(sql);
  }

  /** Reads a value expression, such as one written by {@link SqlText#of}. */
  public static SqlNode parseExpression(String sql) {
    return read(sql, NelumboParser::SqlExpressionEof);
  }

  private static <T> T read(String sql, Production<T> production) {
    return read(sql, () -> {}, production);
  }

  private static <T> T read(String sql, Runnable progress, Production<T> production) {
    NelumboParser parser = ParserFactory.open(sql, progress);
    try {
      return production.apply(parser);
    } catch (SqlSyntaxException e) {
      throw e;
    } catch (Exception | Error e) {
      throw SyntaxErrors.explain(sql, parser, e);
    }
  }

  /** A production of the grammar that reads the whole text. */
  private interface Production<T> {
    T apply(NelumboParser parser) throws ParseException;
  }
}
