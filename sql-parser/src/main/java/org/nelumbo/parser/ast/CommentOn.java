package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** COMMENT ON: sets the comment of a table, a column or another object; NULL removes it. */
public final class CommentOn extends NelumboStatement {
  /** Objects that can have a comment. */
  public enum Target {
    TABLE,
    VIEW,
    COLUMN,
    INDEX,
    CONSTRAINT,
    SEQUENCE,
    SCHEMA
  }

  private final Target target;
  private final SqlIdentifier name;
  private final SqlIdentifier table;
  private final String text;

  public CommentOn(
      SqlParserPos pos, Target target, SqlIdentifier name, SqlIdentifier table, String text) {
    super(StatementKind.COMMENT, SqlKind.OTHER_DDL, pos);
    this.target = target;
    this.name = name;
    this.table = table;
    this.text = text;
  }

  /** Returns the kind of the object. */
  public Target target() {
    return target;
  }

  /** Returns the name of the object; the name of a column is the last part. */
  public SqlIdentifier name() {
    return name;
  }

  /** Returns the table of a constraint, or null for other objects. */
  public SqlIdentifier table() {
    return table;
  }

  /** Returns the comment, or null to remove it. */
  public String text() {
    return text;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name, table);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new CommentOn(
        pos, target, (SqlIdentifier) children.get(0), (SqlIdentifier) children.get(1), text);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("COMMENT ON " + target);
    name.unparse(writer, 0, 0);
    Writing.clauseIf(writer, "ON", table);
    SqlParserPos pos = getParserPosition();
    Writing.clauseIf(
        writer,
        "IS",
        text == null ? SqlLiteral.createNull(pos) : SqlLiteral.createCharString(text, pos));
  }
}
