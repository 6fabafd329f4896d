package org.nelumbo.parser.impl;

/** Determines the kind of statement after the queries of a WITH, with unlimited lookahead. */
final class WithLookahead {
  private WithLookahead() {}

  /** Returns true if a WITH precedes a change of rows. */
  static boolean isChange(Token first, NelumboParserTokenManager tokens) {
    if (first.kind != NelumboParserConstants.WITH) {
      return false;
    }
    int depth = 0;
    Token before = first;
    while (true) {
      if (before.next == null) {
        before.next = tokens.getNextToken();
      }
      Token token = before.next;
      boolean afterQuery = depth == 0 && before.kind == NelumboParserConstants.RPAREN;
      switch (token.kind) {
        case NelumboParserConstants.LPAREN -> depth++;
        case NelumboParserConstants.RPAREN -> depth--;
        case NelumboParserConstants.SEMICOLON, NelumboParserConstants.EOF -> {
          return false;
        }
        default -> {}
      }
      boolean nextQuery =
          token.kind == NelumboParserConstants.COMMA || token.kind == NelumboParserConstants.AS;
      if (afterQuery && !nextQuery) {
        return switch (token.kind) {
          case NelumboParserConstants.INSERT,
              NelumboParserConstants.UPDATE,
              NelumboParserConstants.DELETE,
              NelumboParserConstants.MERGE ->
              true;
          default -> false;
        };
      }
      before = token;
    }
  }
}
