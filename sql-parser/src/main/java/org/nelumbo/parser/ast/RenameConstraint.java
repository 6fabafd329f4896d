package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** RENAME CONSTRAINT in an ALTER TABLE. */
public final class RenameConstraint extends TableChange {
  private final SqlIdentifier constraint;
  private final SqlIdentifier newName;

  public RenameConstraint(SqlParserPos pos, SqlIdentifier constraint, SqlIdentifier newName) {
    super("RENAME CONSTRAINT", SqlKind.OTHER_DDL, pos);
    this.constraint = constraint;
    this.newName = newName;
  }

  public SqlIdentifier constraint() {
    return constraint;
  }

  public SqlIdentifier newName() {
    return newName;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(constraint, newName);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new RenameConstraint(
        pos, (SqlIdentifier) children.get(0), (SqlIdentifier) children.get(1));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(writer, "RENAME CONSTRAINT", constraint);
    Writing.clauseIf(writer, "TO", newName);
  }
}
