package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;

/** Writes the clauses of syntax trees. */
final class Writing {
  private Writing() {}

  /** Writes {@code keyword} if it applies. */
  static void keywordIf(SqlWriter writer, boolean applies, String keyword) {
    if (applies) {
      writer.keyword(keyword);
    }
  }

  /** Writes {@code keyword node} if the node is not null. */
  static void clauseIf(SqlWriter writer, String keyword, SqlNode node) {
    if (node != null) {
      writer.keyword(keyword);
      node.unparse(writer, 0, 0);
    }
  }

  /** Writes {@code keyword name}, or {@code keyword ALL}. */
  static void allOr(SqlWriter writer, String keyword, SqlIdentifier name) {
    writer.keyword(keyword);
    if (name.isSimple() && name.getSimple().equals("ALL")) {
      writer.keyword("ALL");
    } else {
      name.unparse(writer, 0, 0);
    }
  }

  /** Writes {@code (a, b, c)}. */
  static void parenthesized(SqlWriter writer, Iterable<? extends SqlNode> nodes) {
    SqlWriter.Frame frame = writer.startList("(", ")");
    commaSeparated(writer, nodes);
    writer.endList(frame);
  }

  /** Writes {@code (a, b, c)} unless the list is null or empty. */
  static void parenthesizedIf(SqlWriter writer, SqlNodeList nodes) {
    if (nodes != null && !nodes.isEmpty()) {
      parenthesized(writer, nodes);
    }
  }

  /** Writes {@code a, b, c}. */
  static void commaSeparated(SqlWriter writer, Iterable<? extends SqlNode> nodes) {
    SqlWriter.Frame frame = writer.startList("", "");
    for (SqlNode node : nodes) {
      writer.sep(",");
      node.unparse(writer, 0, 0);
    }
    writer.endList(frame);
  }

  /** Writes {@code a = 1, b = 2}. */
  static void assignments(SqlWriter writer, SqlNodeList columns, SqlNodeList values) {
    SqlWriter.Frame frame = writer.startList("", "");
    for (int i = 0; i < columns.size(); i++) {
      writer.sep(",");
      columns.get(i).unparse(writer, 0, 0);
      writer.keyword("=");
      values.get(i).unparse(writer, 0, 0);
    }
    writer.endList(frame);
  }

  /** Writes a FROM clause: {@code keyword t, u JOIN v ON ...}. */
  static void fromClause(SqlWriter writer, String keyword, SqlNode tables) {
    writer.keyword(keyword);
    SqlWriter.Frame frame = writer.startList(SqlWriter.FrameTypeEnum.FROM_LIST);
    tables.unparse(writer, 0, 0);
    writer.endList(frame);
  }
}
