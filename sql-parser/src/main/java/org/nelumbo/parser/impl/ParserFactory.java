package org.nelumbo.parser.impl;

import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl.LexicalState;
import org.apache.calcite.util.SourceStringReader;
import org.nelumbo.parser.dialect.NelumboConformance;

/** Creates parsers of this dialect, positioned at the start of a text. */
public final class ParserFactory {
  /** Maximum length of a name in characters. */
  public static final int IDENTIFIER_LENGTH_MAX = 128;

  private ParserFactory() {}

  /**
   * Creates a parser for one text. Unquoted names are folded to upper case, columns are counted in
   * characters.
   *
   * @param progress runs for each token; parsing stops if it throws
   */
  public static NelumboParser open(String sql, Runnable progress) {
    String text = sql.isEmpty() ? " " : sql; // the buffer of the reader has the length of the text
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
