package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/**
 * SHOW: a property of the session, all of them, or what there is of some sort ({@code SHOW TABLES},
 * {@code SHOW COLUMNS FROM t}).
 */
public final class Show extends NelumboStatement {
  private final SqlIdentifier subject;
  private final SqlIdentifier from;

  /** Made by the parser; the arguments are described at the getters. */
  public Show(SqlParserPos pos, SqlIdentifier subject, SqlIdentifier from) {
    super(StatementKind.SHOW, SqlKind.OTHER, pos);
    this.subject = subject;
    this.from = from;
  }

  /** What is to be shown. */
  public SqlIdentifier subject() {
    return subject;
  }

  /** The schema or table of {@code FROM}; null if none. */
  public SqlIdentifier from() {
    return from;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(subject, from);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new Show(pos, (SqlIdentifier) children.get(0), (SqlIdentifier) children.get(1));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.allOr(writer, "SHOW", subject);
    Writing.clauseIf(writer, "FROM", from);
  }
}
