package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/**
 * SHOW: shows one or all properties of the session, or the objects of a kind ({@code SHOW TABLES},
 * {@code SHOW COLUMNS FROM t}).
 */
public final class Show extends NelumboStatement {
  private final SqlIdentifier subject;
  private final SqlIdentifier from;

  public Show(SqlParserPos pos, SqlIdentifier subject, SqlIdentifier from) {
    super(StatementKind.SHOW, SqlKind.OTHER, pos);
    this.subject = subject;
    this.from = from;
  }

  /** Returns the property or the kind of objects to show. */
  public SqlIdentifier subject() {
    return subject;
  }

  /** Returns the schema or table of {@code FROM}, or null if there is none. */
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
