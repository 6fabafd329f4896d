package org.nelumbo.parser.impl;

import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl.LexicalState;
import org.apache.calcite.util.SourceStringReader;
import org.nelumbo.parser.dialect.NelumboConformance;

/** Makes parsers of our dialect that stand at the start of a text. */
public final class ParserFactory {
  /** The longest name, in characters. */
  public static final int IDENTIFIER_LENGTH_MAX = 128;

  private ParserFactory() {}

  /**
   * A parser for one text: names without quotes are folded to upper case, columns are counted in
   * characters.
   *
   * @param progress run for each word or sign that is read; what it throws ends the reading
   */
  public static NelumboParser open(String sql, Runnable progress) {
    String text = sql.isEmpty() ? " " : sql; // the reader's buffer is as long as the text
    NelumboParser parser =
        (NelumboParser) NelumboParser.FACTORY.getParser(new SourceStringReader(text));
    parser.token_source = new NameTokenManager(parser.jj_input_stream, progress);
    parser.setTabSize(1);
    parser.switchTo(LexicalState.DQID);
    parser.setUnquotedCasing(Casing.TO_UPPER);
    parser.setQuotedCasing(Casing.UNCHANGED);
    parser.setIdentifierMaxLength(IDENTIFIER_LENGTH_MAX);
    parser.setConformance(NelumboConformance.INSTANCE);
    return parser;
  }
}
