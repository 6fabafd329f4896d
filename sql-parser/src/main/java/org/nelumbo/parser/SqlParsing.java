package org.nelumbo.parser;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.ast.SyntaxChecks;
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

  /** Settings of MySQL's dumps, whose variables our grammar does not have. */
  private static final Pattern DUMP_SETTING =
      Pattern.compile(
          "\\s*(SET\\s+(@|\\w+\\s*=\\s*@|(UNIQUE_CHECKS|FOREIGN_KEY_CHECKS|SQL_MODE|SQL_NOTES)\\s*=)"
              + "|\\\\unrestrict\\s|CREATE\\s+USER\\s+IF\\s+NOT\\s+EXISTS\\s+\\S+\\s+SALT\\s+'\\w*'\\s+HASH\\s)",
          Pattern.CASE_INSENSITIVE);

  /** Lines before a statement: # of MySQL, and what pg_dump says to psql, beside comments. */
  private static final Pattern REMARKS =
      Pattern.compile("(?:\\s++|--[^\\n]*+\\n|(?:#|\\\\restrict )[^\\n]*+\\n)++");

  private SqlParsing() {}

  /** Reads one statement; semicolons after it are accepted. */
  public static SqlNode parseStatement(String sql) {
    return parseStatement(sql, () -> {});
  }

  /**
   * Reads one statement, and runs {@code progress} now and then; what that throws ends the reading.
   */
  public static SqlNode parseStatement(String sql, Runnable progress) {
    String text = withoutMark(sql);
    SqlNode plain = PlainQueryReader.read(text, progress);
    return plain == null ? parseByGrammar(text, progress) : plain;
  }

  /** Reads one statement by the generated parser. */
  static SqlNode parseByGrammar(String sql, Runnable progress) {
    String text = withoutRemarks(sql);
    return DUMP_SETTING.matcher(text).lookingAt()
        ? SyntaxChecks.nothing(SqlParserPos.ZERO)
        : read(text, progress, NelumboParser::StatementEof);
  }

  /** Returns the text with spaces in the place of remarks before the statement. */
  private static String withoutRemarks(String sql) {
    Matcher remarks = REMARKS.matcher(sql);
    return remarks.lookingAt()
        ? sql.substring(0, remarks.end()).replaceAll("[^\\n]", " ") + sql.substring(remarks.end())
        : sql;
  }

  /** The text with a space in the place of a byte order mark, which editors put before it. */
  private static String withoutMark(String sql) {
    return sql.startsWith("\uFEFF") ? ' ' + sql.substring(1) : sql;
  }

  /** Reads statements separated by semicolons; the list is empty if there is none. */
  public static List<SqlNode> parseScript(String sql) {
    return read(withoutMark(sql), NelumboParser::ScriptEof);
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
