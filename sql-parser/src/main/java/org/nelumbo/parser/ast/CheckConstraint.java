package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code CHECK (condition)}. */
public final class CheckConstraint extends Constraint {
  private final SqlNode condition;

  public CheckConstraint(SqlParserPos pos, SqlIdentifier name, SqlNode condition) {
    super("CHECK", SqlKind.CHECK, pos, name);
    this.condition = condition;
  }

  /** Returns the condition that must not be false for any row. */
  public SqlNode condition() {
    return condition;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name(), condition);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new CheckConstraint(pos, (SqlIdentifier) children.get(0), children.get(1));
  }

  @Override
  void unparseBody(SqlWriter writer, boolean withColumns) {
    writer.keyword("CHECK");
    SqlWriter.Frame frame = writer.startList("(", ")");
    condition.unparse(writer, 0, 0);
    writer.endList(frame);
  }
}
