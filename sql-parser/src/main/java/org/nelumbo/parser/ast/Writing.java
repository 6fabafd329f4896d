package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;

/** Helpers that write the clauses of syntax trees. */
final class Writing {
  private Writing() {}

  /** {@code keyword}, only if it applies. */
  static void keywordIf(SqlWriter writer, boolean applies, String keyword) {
    if (applies) {
      writer.keyword(keyword);
    }
  }

  /** {@code keyword node}, only if there is a node. */
  static void clauseIf(SqlWriter writer, String keyword, SqlNode node) {
    if (node != null) {
      writer.keyword(keyword);
      node.unparse(writer, 0, 0);
    }
  }

  /** {@code (a, b, c)}. */
  static void parenthesized(SqlWriter writer, Iterable<? extends SqlNode> nodes) {
    SqlWriter.Frame frame = writer.startList("(", ")");
    commaSeparated(writer, nodes);
    writer.endList(frame);
  }

  /** {@code (a, b, c)}, only if there are any. */
  static void parenthesizedIf(SqlWriter writer, SqlNodeList nodes) {
    if (nodes != null && !nodes.isEmpty()) {
      parenthesized(writer, nodes);
    }
  }

  /** {@code a, b, c}. */
  static void commaSeparated(SqlWriter writer, Iterable<? extends SqlNode> nodes) {
    SqlWriter.Frame frame = writer.startList("", "");
    for (SqlNode node : nodes) {
      writer.sep(",");
      node.unparse(writer, 0, 0);
    }
    writer.endList(frame);
  }
}
