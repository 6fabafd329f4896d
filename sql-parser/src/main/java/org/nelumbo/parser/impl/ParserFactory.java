package org.nelumbo.parser.impl;

import org.apache.calcite.sql.parser.SqlAbstractParserImpl.LexicalState;
import org.apache.calcite.util.SourceStringReader;

/** Makes parsers that stand at the start of a text. */
public final class ParserFactory {
  private ParserFactory() {}

  /** A parser for one text: names in double quotes, columns counted in characters. */
  public static NelumboParser open(String sql) {
    String text = sql.isEmpty() ? " " : sql; // the reader's buffer is as long as the text
    NelumboParser parser =
        (NelumboParser) NelumboParser.FACTORY.getParser(new SourceStringReader(text));
    parser.token_source = new NameTokenManager(parser.jj_input_stream);
    parser.setTabSize(1);
    parser.switchTo(LexicalState.DQID);
    return parser;
  }
}
