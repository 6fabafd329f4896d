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
 * The SQL parser: converts text to syntax trees.
 *
 * <p>Unquoted names are folded to upper case, quoted names remain unchanged, and both may have up
 * to {@link #IDENTIFIER_LENGTH_MAX} characters. All methods may be called from any thread. For any
 * text, the only exception that they throw is {@link SqlSyntaxException}.
 */
public final class SqlParsing {
  /** Maximum length of a name in characters. */
  public static final int IDENTIFIER_LENGTH_MAX = ParserFactory.IDENTIFIER_LENGTH_MAX;

  /**
   * Settings in dumps of MySQL, whose variables the grammar does not support, and similar lines of
   * other dumps.
   */
  private static final Pattern DUMP_SETTING =
      Pattern.compile(
          "\\s*(SET\\s+(@|\\w+\\s*=\\s*@|(UNIQUE_CHECKS|FOREIGN_KEY_CHECKS|SQL_MODE|SQL_NOTES)\\s*=)"
              + "|\\\\unrestrict\\s|CREATE\\s+USER\\s+IF\\s+NOT\\s+EXISTS\\s+\\S+\\s+SALT\\s+'\\w*'\\s+HASH\\s)",
          Pattern.CASE_INSENSITIVE);

  /** Lines before a statement: comments, # comments of MySQL, and psql commands of pg_dump. */
  private static final Pattern REMARKS =
      Pattern.compile("(?:\\s++|--[^\\n]*+\\n|(?:#|\\\\restrict )[^\\n]*+\\n)++");

  private SqlParsing() {}

  /** Parses one statement, which may be followed by semicolons. */
  public static SqlNode parseStatement(String sql) {
    return parseStatement(sql, () -> {});
  }

  /**
   * Parses one statement.
   *
   * @param progress runs for each token; parsing stops if it throws
   */
  public static SqlNode parseStatement(String sql, Runnable progress) {
    String text = withoutMark(sql);
    SqlNode plain = PlainQueryReader.read(text, progress);
    return plain == null ? parseByGrammar(text, progress) : plain;
  }

  /** Parses one statement with the generated parser. */
  static SqlNode parseByGrammar(String sql, Runnable progress) {
    String text = withoutRemarks(sql);
    return DUMP_SETTING.matcher(text).lookingAt()
        ? SyntaxChecks.nothing(SqlParserPos.ZERO)
        : read(text, progress, NelumboParser::StatementEof);
  }

  private static String withoutRemarks(String sql) {
    Matcher remarks = REMARKS.matcher(sql);
    return remarks.lookingAt()
        ? sql.substring(0, remarks.end()).replaceAll("[^\\n]", " ") + sql.substring(remarks.end())
        : sql;
  }

  /** Editors add the mark. */
  private static String withoutMark(String sql) {
    return sql.startsWith("\uFEFF") ? ' ' + sql.substring(1) : sql;
  }

  /** Parses statements separated by semicolons; the list may be empty. */
  public static List<SqlNode> parseScript(String sql) {
    return read(withoutMark(sql), NelumboParser::ScriptEof);
  }

  /**
   * Splits a script at its semicolons without parsing the statements; empty statements are omitted.
   * For callers that need the text of each statement.
   */
  public static List<String> splitScript(String sql) {
    return TextPieces.statements(sql);
  }

  /** Parses a value expression, such as one written by {@link SqlText#of}. */
  public static SqlNode parseExpression(String sql) {
    SqlNode constant = PlainQueryReader.readConstant(sql);
    return constant == null ? read(sql, NelumboParser::SqlExpressionEof) : constant;
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

  private interface Production<T> {
    T apply(NelumboParser parser) throws ParseException;
  }
}
