package org.nelumbo.sql.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** DROP CONSTRAINT. */
public final class DropConstraint extends TableChange {
  private final SqlIdentifier constraint;
  private final boolean ifExists;
  private final DropBehavior behavior;

  /** Made by the parser; the arguments are described at the getters. */
  public DropConstraint(
      SqlParserPos pos, SqlIdentifier constraint, boolean ifExists, DropBehavior behavior) {
    super("DROP CONSTRAINT", SqlKind.OTHER_DDL, pos);
    this.constraint = constraint;
    this.ifExists = ifExists;
    this.behavior = behavior;
  }

  /** The name of the constraint. */
  public SqlIdentifier constraint() {
    return constraint;
  }

  /** Whether a missing constraint is no error. */
  public boolean ifExists() {
    return ifExists;
  }

  /** CASCADE, RESTRICT or neither. */
  public DropBehavior behavior() {
    return behavior;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(constraint);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new DropConstraint(pos, (SqlIdentifier) children.get(0), ifExists, behavior);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("DROP CONSTRAINT");
    Writing.keywordIf(writer, ifExists, "IF EXISTS");
    constraint.unparse(writer, 0, 0);
    Writing.keywordIf(writer, behavior != DropBehavior.UNSPECIFIED, behavior.name());
  }
}
