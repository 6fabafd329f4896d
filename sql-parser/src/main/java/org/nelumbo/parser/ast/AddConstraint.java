package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** ADD of a constraint in an ALTER TABLE. */
public final class AddConstraint extends TableChange {
  private final Constraint constraint;

  public AddConstraint(SqlParserPos pos, Constraint constraint) {
    super("ADD CONSTRAINT", SqlKind.OTHER_DDL, pos);
    this.constraint = constraint;
  }

  public Constraint constraint() {
    return constraint;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(constraint);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new AddConstraint(pos, (Constraint) children.get(0));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("ADD");
    constraint.unparse(writer, 0, 0);
  }
}
