package org.nelumbo.parser.dialect;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriterConfig;
import org.apache.calcite.sql.pretty.SqlPrettyWriter;

/** Writes syntax trees as SQL text on one line, which parses to an equal tree. */
public final class SqlText {
  private static final SqlWriterConfig CONFIG =
      SqlPrettyWriter.config()
          .withDialect(NelumboDialect.INSTANCE)
          .withQuoteAllIdentifiers(true)
          .withAlwaysUseParentheses(false)
          .withClauseStartsLine(false)
          .withIndentation(0)
          .withSelectListItemsOnSeparateLines(false)
          .withUpdateSetListNewline(false)
          .withLineFolding(SqlWriterConfig.LineFolding.WIDE);

  private SqlText() {}

  /** Returns the text of a statement, clause or expression. */
  public static String of(SqlNode node) {
    boolean isName =
        node instanceof SqlIdentifier name
            && name.isSimple()
            && Identifiers.isPlain(name.getSimple());
    return isName ? ((SqlIdentifier) node).getSimple() : new OneLineWriter().format(node);
  }

  private static final class OneLineWriter extends SqlPrettyWriter {
    OneLineWriter() {
      super(CONFIG);
    }

    @Override
    public void newlineAndIndent(int indent) {
      setNeedWhitespace(true);
    }
  }
}
